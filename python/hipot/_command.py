"""The command `hipot`."""

import signal
import sys

from ._hipot import run_command


def main() -> int:
    """Run the command line that this process was started with."""
    # Ctrl-C is the command's own affair: it writes a report and exits with 130.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["hipot", *sys.argv[1:]])
