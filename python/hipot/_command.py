"""The command `hipot`."""

import os
import shutil
import signal
import sys

from ._hipot import run_command


def main() -> int:
    """Run the command line that this process was started with."""
    # Ctrl-C is the command's own affair: it writes a report and exits with 130.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(_program(), sys.argv[1:])


def _program() -> str:
    """The file that starts this command."""
    script = os.path.abspath(sys.argv[0])
    if os.path.basename(script).startswith("hipot") and os.access(script, os.X_OK):
        return script
    return shutil.which("hipot") or "hipot"
