"""Checks that the packages of each extra of the installed wheel are here, at versions that it accepts."""

from importlib.metadata import requires, version

from packaging.requirements import Requirement

EXTRAS = ("pandas", "polars", "tracing", "tracing-grpc", "pytest")
for extra in EXTRAS:
    chosen = [one for one in map(Requirement, requires("spandrel-client") or []) if one.marker and one.marker.evaluate({"extra": extra})]
    assert chosen, extra
    for requirement in chosen:
        found = version(requirement.name)
        assert requirement.specifier.contains(found), f"{extra}: {requirement}, and {found} is installed"
