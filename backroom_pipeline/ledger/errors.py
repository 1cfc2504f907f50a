"""What can go wrong at the ledger's door, each a sentence for the operator."""

from __future__ import annotations


class LedgerError(Exception):
    """The ledger cannot do what was asked; the message says what to do next."""


class LedgerMissing(LedgerError):
    """There is no ledger where one was to be read."""


class LedgerBusy(LedgerError):
    """Another process holds the ledger and did not let go in time."""


class SeasonLocked(LedgerError):
    """Another process is playing the season."""


class ChangeRefused(LedgerError):
    """A statement would change or delete what was committed, or do anything but read or add rows."""


class LedgerConflict(LedgerError):
    """A row with this key is already there, saying something else."""
