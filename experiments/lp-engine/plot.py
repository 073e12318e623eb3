"""Certified value over time, one panel for each task, as an SVG file."""

import html
import math

COLORS = {"engine": "#0b6e4f", "hipdlp": "#c2410c", "pdlp": "#4f46a5"}
WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 170, 44, 52, 34
FIRST = 0.01


def svg(rows, tasks, limit):
    """A picture with a panel for each of the tasks, three in a row; runs ended at the limit."""
    lines = math.ceil(len(tasks) / 3)
    width, height = 3 * (WIDTH + LEFT + GAP), lines * (HEIGHT + TOP + GAP) + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for index, task in enumerate(tasks):
        x = (index % 3) * (WIDTH + LEFT + GAP) + LEFT
        y = index // 3 * (HEIGHT + TOP + GAP) + TOP
        runs = [row for row in rows if row["task"] == task and row["threads"] == 1
                and row["method"] in COLORS]
        parts += [f'<g transform="translate({x},{y})">', *panel(task, runs, limit), "</g>"]
    for index, (method, color) in enumerate(COLORS.items()):
        x, y = LEFT + 110 * index, height - 14
        parts.append(f'<path d="M{x} {y}h24" stroke="{color}" stroke-width="2.5"/>'
                     f'<text x="{x + 30}" y="{y + 4}">{method}</text>')
    return "\n".join([*parts, "</svg>\n"])


def panel(task, runs, limit):
    """Axes and curves of one task."""
    highest = max((value for run in runs for _, value in run["values"]), default=1) or 1
    x_of = lambda seconds: WIDTH * math.log(min(max(seconds, FIRST), limit) / FIRST) / math.log(limit / FIRST)
    y_of = lambda value: HEIGHT * (1 - value / (1.08 * highest))
    nonzeros = next((run["nonzeros"] for run in runs if run["nonzeros"]), 0)
    parts = [f'<text x="0" y="-26" font-weight="bold">{html.escape(task)}</text>',
             f'<text x="0" y="-10" fill="#555">{nonzeros:,} nonzeros</text>',
             f'<path d="M0 0V{HEIGHT}H{WIDTH}" fill="none" stroke="#555"/>']
    for seconds in (0.01, 0.1, 1, 10, limit):
        x = x_of(seconds)
        parts.append(f'<path d="M{x:.1f} {HEIGHT}v4" stroke="#555"/><text x="{x:.1f}" '
                     f'y="{HEIGHT + 17}" text-anchor="middle">{seconds:g} s</text>')
    for value in (0, highest):
        y = y_of(value)
        parts.append(f'<path d="M0 {y:.1f}H{WIDTH}" stroke="#ddd"/><text x="-6" y="{y + 4:.1f}" '
                     f'text-anchor="end">{value:.4g}</text>')
    for run in sorted(runs, key=lambda it: it["method"] == "engine"):
        # At equal heights all curves should be seen.
        path, best = f"M0 {y_of(0):.1f}", 0.0
        for seconds, value in run["values"]:
            if value > best:
                best = value
                path += f"H{x_of(seconds):.1f}V{y_of(value):.1f}"
        end = limit if not run["is_solved"] else max((at for at, _ in run["values"]), default=FIRST)
        path += f"H{x_of(end):.1f}"
        parts.append(f'<path d="{path}" fill="none" stroke="{COLORS[run["method"]]}" '
                     'stroke-width="2.5" stroke-opacity="0.85"/>')
    return parts
