"""What is known of the server that a client talks to."""

from __future__ import annotations

from collections.abc import Mapping

from ..exceptions import ServerTooOld

OWN_HEADER = "x-spandrel-version"
COMPATIBLE_HEADER = "x-phoenix-server-version"


class ServerIdentity:
    """Make and version of the server, learnt from the headers of its answers."""

    def __init__(self) -> None:
        self.is_known = False
        self.own_version: str | None = None
        self.compatible_version: str | None = None

    @property
    def is_ours(self) -> bool:
        return self.own_version is not None

    def learn(self, headers: Mapping[str, str]) -> None:
        """Reads the headers of an answer. A proxy's own answer has none of them and changes nothing."""
        own, compatible = headers.get(OWN_HEADER), headers.get(COMPATIBLE_HEADER)
        if own or compatible:
            self.is_known = True
            self.own_version = own or None
            self.compatible_version = compatible

    def require(self, capability: str, version: str) -> None:
        """Raises ServerTooOld if a server of another make says a version below the given one."""
        if self.is_ours:
            return
        needed, found = _numbers(version), _numbers(self.compatible_version or "")
        if found is None:
            raise ServerTooOld(
                f"{capability} needs a server of version {version} or later, and the server's version is "
                f"{self.compatible_version!r}, which is no version; check the address"
            )
        if found < (needed or ()):
            raise ServerTooOld(
                f"{capability} needs a server of version {version} or later, and this one is "
                f"{self.compatible_version}; update the server"
            )


def _numbers(text: str) -> tuple[int, ...] | None:
    parts = text.strip().split(".")[:3]
    return tuple(int(part) for part in parts) if len(parts) == 3 and all(part.isdigit() for part in parts) else None
