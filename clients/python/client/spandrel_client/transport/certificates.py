"""Certificates for a client whose address needs none."""

from __future__ import annotations

import ssl
from typing import Any

import httpx


class LateCertificates(ssl.SSLContext):
    """The context that httpx makes by default, made when a connection is encrypted.

    It reads the certificates of all authorities, which takes longer than everything else that opens a client. An address that
    begins with http:// needs them only if the program uses the same connections for another address.
    """

    def __new__(cls) -> LateCertificates:
        context = super().__new__(cls, ssl.PROTOCOL_TLS_CLIENT)
        context._protocols = None
        context._default = None
        return context

    _protocols: list[str] | None
    _default: ssl.SSLContext | None

    def set_alpn_protocols(self, alpn_protocols: Any) -> None:
        self._protocols = list(alpn_protocols)

    def wrap_socket(self, *args: Any, **options: Any) -> ssl.SSLSocket:
        return self._made().wrap_socket(*args, **options)

    def wrap_bio(self, *args: Any, **options: Any) -> ssl.SSLObject:
        return self._made().wrap_bio(*args, **options)

    def _made(self) -> ssl.SSLContext:
        if self._default is None:
            self._default = httpx.create_ssl_context()
        if self._protocols:
            self._default.set_alpn_protocols(self._protocols)
        return self._default
