"""`python -m hipot` is the command `hipot`."""

from ._command import main

raise SystemExit(main())
