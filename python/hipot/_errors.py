"""What can go wrong."""


class Error(Exception):
    """Something is wrong, with its place where there is one."""

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        source_line: str | None = None,
        details: str | None = None,
    ) -> None:
        super().__init__(message, file, line, column, source_line, details)
        self.message = message
        """What is wrong, without the place."""
        self.file = file
        """The file; `<domain>`, `<problem>`, `<plan>` and the like for text."""
        self.line = line
        """The line, from 1."""
        self.column = column
        """The column in characters, from 1."""
        self.source_line = source_line
        """The line's text."""
        self.details = details or message
        """All that is wrong, as the command shows it: PDDL files may have more than
        one mistake."""

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part]
        return ":".join([*place, f" {self.message}" if place else self.message])


class InputError(Error):
    """A task, a plan or a certificate is wrong."""


class UnsupportedError(Error):
    """The input uses a feature that hipot does not support there."""


class UsageError(Error, ValueError):
    """An argument means nothing: an unknown heuristic, no state of the task."""


class InternalError(Error, RuntimeError):
    """A defect in hipot itself."""
