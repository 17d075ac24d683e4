"""Opens a delivery with the settings of the environment."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

from ... import limits
from ...config.handoff import PREFIXES
from ..destination import Destination
from .delivery import Delivery
from .encode import Mask
from .losses import Losses, OnDrop
from .spill import Spill

SpillDir = Any
_OFF = {"false", "0", "no", "off"}


def open_delivery(
    destination: Destination,
    *,
    mask: Mask | None = None,
    on_drop: OnDrop | None = None,
    spill_dir: SpillDir = None,
    **options: Any,
) -> Delivery:
    """A delivery to the destination. `spill_dir` is a directory, None for that of the environment, False for none."""
    losses = Losses(on_drop)
    folder = spill_folder(spill_dir)
    spill = None
    if folder is not None:
        # Each address has a directory of its own; the project is inside of the batches.
        name = hashlib.sha256(destination.shown.encode()).hexdigest()[:12]
        spill = Spill(folder / name, losses, limits.SPILL_BYTES_MAX, limits.SPILL_AGE_SECONDS_MAX)
    return Delivery(destination, losses=losses, spill=spill, mask=mask, **options)


def spill_folder(explicit: SpillDir = None) -> Path | None:
    """The argument, SPANDREL_SPILL_DIR (`off` for none), or a folder of the user's state."""
    if explicit is False:
        return None
    if explicit is not None and explicit is not True:
        return Path(explicit)
    for prefix in PREFIXES:
        value = os.environ.get(f"{prefix}SPILL_DIR", "").strip()
        if value:
            return None if value.lower() in _OFF else Path(value)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "spandrel" / "spans"
    try:
        return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "spandrel" / "spans"
    except RuntimeError:
        # A process without a home directory.
        return None
