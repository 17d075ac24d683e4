"""Retries, errors and settings, against small servers in this process."""

import email.utils
import http.server
import json
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import httpx

from spandrel_client import Client, limits
from spandrel_client.config.settings import resolve_settings
from spandrel_client.exceptions import ConfigurationError, ConnectionFailed, ServerTooOld, StatusError, TimedOut, UnexpectedAnswer

KEY = "sk-very-secret"
OURS = {"x-spandrel-version": "0.1.0", "x-phoenix-server-version": "20.8.0"}


@contextmanager
def serving(*answers):
    """A server with these answers, the last of them for ever: `(status, headers, body)` or a function of the handler."""
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            seen.append((self.command, self.path, dict(self.headers), body))
            chosen = answers[min(len(seen), len(answers)) - 1]
            if callable(chosen):
                return chosen(self)
            status, headers, text = chosen
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = do_PUT = do_DELETE = answer

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield Client(base_url=f"http://127.0.0.1:{server.server_port}", api_key=KEY), seen
    finally:
        server.shutdown()
        server.server_close()


def page(data):
    return (200, {"content-type": "application/json", **OURS}, json.dumps({"data": data, "next_cursor": None}))


def setUpModule():
    # Tests wait as long as servers ask for, and hardly longer.
    patch = mock.patch.object(limits, "RETRY_BASE_SECONDS", 0.01)
    patch.start()
    unittest.addModuleCleanup(patch.stop)


class Retries(unittest.TestCase):
    def test_waits_as_long_as_the_server_asks(self):
        with serving((429, {"retry-after": "0"}, "slow"), (503, {"retry-after": "1"}, ""), page([])) as (client, seen):
            start = time.monotonic()
            self.assertEqual(client.projects.list(), [])
            self.assertGreaterEqual(time.monotonic() - start, 1)
            self.assertEqual(len(seen), 3)

    def test_repeats_a_creation_with_the_same_key_on_a_server_of_ours(self):
        created = (200, OURS, json.dumps({"data": {"name": "p", "id": "x"}}))
        with serving((502, OURS, "bad gateway"), created) as (client, seen):
            self.assertEqual(client.projects.create(name="p")["id"], "x")
            keys = {headers.get("idempotency-key") for _, _, headers, _ in seen}
            self.assertEqual((len(seen), len(keys), None in keys), (2, 1, False))

    def test_waits_for_the_first_attempt_of_a_creation_that_still_runs(self):
        created = (200, OURS, json.dumps({"data": {"name": "p", "id": "x"}}))
        running = (409, {**OURS, "retry-after": "0", "x-spandrel-error-code": "IDEMPOTENT_REQUEST_RUNNING"}, "still running")
        with serving((502, OURS, "bad gateway"), *[running] * 8, created) as (client, seen):
            self.assertEqual(client.projects.create(name="p")["id"], "x")
            self.assertEqual((len(seen), len({headers.get("idempotency-key") for _, _, headers, _ in seen})), (10, 1))
        unknown = (409, {**OURS, "x-spandrel-error-code": "IDEMPOTENT_OUTCOME_UNKNOWN"}, "unknown")
        with serving(unknown, created) as (client, seen):
            with self.assertRaises(StatusError):
                client.projects.create(name="p")
            self.assertEqual(len(seen), 1)

    def test_repeats_no_creation_on_another_server(self):
        with serving((502, {"x-phoenix-server-version": "20.8.0"}, "bad gateway"), page([])) as (client, seen):
            with self.assertRaises(StatusError):
                client.projects.create(name="p")
            self.assertEqual(len(seen), 1)

    def test_ends_after_its_attempts(self):
        with serving((503, {"retry-after": "0"}, "busy")) as (client, seen):
            with self.assertRaisesRegex(StatusError, "503 Service Unavailable: busy; the server is busy"):
                client.projects.list()
            self.assertEqual(len(seen), 5)

    def test_does_not_outlive_its_deadline(self):
        with serving((503, {"retry-after": "3600"}, "busy")) as (client, seen):
            start = time.monotonic()
            with self.assertRaises(StatusError):
                client.projects.list()
            self.assertEqual((len(seen), time.monotonic() - start < 2), (1, True))

    def test_closing_ends_the_waiting(self):
        with serving((503, {"retry-after": "30"}, "busy")) as (client, _):
            threading.Timer(0.2, client.close).start()
            start = time.monotonic()
            with self.assertRaises(Exception):
                client.projects.list()
            self.assertLess(time.monotonic() - start, 5)


class Certificates(unittest.TestCase):
    def test_are_read_when_a_connection_is_encrypted(self):
        with mock.patch("ssl.create_default_context", side_effect=OSError("certificates were read")):
            with serving((200, {"content-type": "application/json", **OURS}, '{"data": [], "next_cursor": null}')) as (client, _):
                self.assertEqual(client.projects.list(), [])
                # The same connections, for another address.
                with self.assertRaisesRegex(Exception, "certificates were read"):
                    client.http_client.get(f"https://127.0.0.1:{client.http_client.base_url.port}/")
            with self.assertRaisesRegex(OSError, "certificates were read"):
                Client(base_url="https://127.0.0.1:9")

    def test_of_authorities_are_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
            name = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2")
            make = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, *name)
            if shutil.which("openssl") is None:
                self.skipTest("openssl is not installed")
            subprocess.run(make, check=True, capture_output=True)
            with serving((200, {}, "hello")) as (plain, _), encrypted(certificate, key) as url:
                with self.assertRaisesRegex(httpx.ConnectError, "CERTIFICATE_VERIFY_FAILED"):
                    plain.http_client.get(url)
                with mock.patch.dict(os.environ, {"SSL_CERT_FILE": certificate}), serving((200, {}, "hello")) as (trusting, _):
                    self.assertEqual(trusting.http_client.get(url).text, "secure")


@contextmanager
def encrypted(certificate, key):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-length", "6")
            self.end_headers()
            self.wfile.write(b"secure")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"https://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Errors(unittest.TestCase):
    def failure(self, kind, *answers, call=lambda client: client.projects.list()):
        with serving(*answers) as (client, _):
            with self.assertRaises(kind) as caught:
                call(client)
        text = str(caught.exception)
        self.assertNotIn(KEY, text)
        self.assertNotIn("\n", text)
        return text

    def test_each_is_one_line_without_the_key(self):
        html = {"content-type": "text/html"}
        self.assertIn("got a web page (200); a proxy", self.failure(UnexpectedAnswer, (200, html, "<html>Sign in</html>")))
        delete = lambda client: client.projects.delete(project_name="p")
        self.assertIn("got a web page", self.failure(UnexpectedAnswer, (200, {}, " <!DOCTYPE HTML><title>x</title>"), call=delete))
        self.assertIn("does not know this call", self.failure(StatusError, (404, html, "<html>nginx</html>")))
        self.assertIn("end in the middle", self.failure(UnexpectedAnswer, (200, {"content-type": "application/json"}, '{"data": [')))
        self.assertIn("use that address as base_url", self.failure(UnexpectedAnswer, (308, {"location": "https://x.example/"}, "")))
        leaking = self.failure(StatusError, (401, {}, f"bad header Authorization: Bearer {KEY}\nof you"))
        self.assertIn("set SPANDREL_API_KEY", leaking)
        expired = (401, {"x-spandrel-error-code": "CREDENTIAL_EXPIRED"}, '{"detail": "Expired token"}')
        self.assertIn("Expired token; the key has expired: create another one", self.failure(StatusError, expired))
        older = (404, {"x-phoenix-server-version": "12.0.0"}, "Not Found")
        self.assertIn("the server, of version 12.0.0, does not know this call", self.failure(StatusError, older))
        known = {"x-spandrel-error-code": "PROMPT_NOT_FOUND"}
        self.assertIn("check the name or ID", self.failure(StatusError, (404, {**OURS, **known}, "Not Found")))
        self.assertIn("check the name or ID", self.failure(StatusError, (404, OURS, "Project with name p not found")))
        self.assertIn("in the log of the server", self.failure(StatusError, (500, OURS, "")))

        def cut(handler):
            handler.send_response(200)
            handler.send_header("content-length", "100")
            handler.end_headers()
            handler.wfile.write(b'{"data"')

        self.assertIn("broke after 5 attempts", self.failure(ConnectionFailed, cut))
        other = lambda handler: handler.wfile.write(b"\x00\x00\x12\x04 no HTTP\r\n\r\n")
        self.assertIn("does not speak HTTP", self.failure(ConnectionFailed, other))

    def test_a_key_that_is_rejected_names_a_clock_that_is_wrong(self):
        def answer(ahead, **headers):
            def respond(handler):
                handler.send_response_only(401)
                date = time.time() - ahead
                for name, value in {"date": email.utils.formatdate(date, usegmt=True), "content-length": "0", **headers}.items():
                    handler.send_header(name, value)
                handler.end_headers()

            return respond

        expired = {"x-spandrel-error-code": "CREDENTIAL_EXPIRED"}
        text = self.failure(StatusError, answer(86_400, **expired))
        self.assertRegex(
            text,
            r"the key has expired: create another one.*; the clock of this machine is 24 hours ahead of that of "
            r"http://127\.0\.0\.1:\d+; expected at most 5 minutes: turn on time synchronization on the machine that is wrong$",
        )
        self.assertIn("; the clock of this machine is 10 minutes behind", self.failure(StatusError, answer(-600)))
        # A bit of difference, no time, one that is no time, and that of a cache say nothing.
        for fine in (answer(200), answer(0, date=""), answer(0, date="yesterday"), answer(86_400, age="86400")):
            self.assertNotIn("clock", self.failure(StatusError, fine))

    def test_silence(self):
        with serving(lambda handler: time.sleep(2)) as (client, seen):
            with self.assertRaisesRegex(TimedOut, "no byte from"):
                client.spans.get_spans(project_identifier="p", timeout=0.2)
            self.assertEqual(len(seen), 1)

    def test_no_server(self):
        with self.assertRaisesRegex(ConnectionFailed, "expected a server at http://127.0.0.1:1, got no connection"):
            Client(base_url="http://127.0.0.1:1").projects.list()
        self.assertTrue(issubclass(ConnectionFailed, httpx.TransportError))
        with self.assertRaisesRegex(ConfigurationError, "contains a space"):
            Client(base_url="http://bad host")

    def test_old_servers_of_another_make_are_not_asked(self):
        call = lambda client: client.traces.get_traces(project_identifier="p", error=True)
        text = self.failure(ServerTooOld, (200, {}, "14.17.0"), call=call)
        self.assertIn("20.8.0", text)
        with serving((200, {**OURS, "x-phoenix-server-version": "1.0.0"}, "1.0.0"), page([])) as (client, _):
            self.assertEqual(call(client), [])


class Settings(unittest.TestCase):
    def resolve(self, environment, file=None, **arguments):
        with tempfile.TemporaryDirectory() as folder:
            inner = Path(folder) / "inner"
            inner.mkdir()
            if file is not None:
                path = Path(folder) / ".env.phoenix"
                path.write_text(file)
                path.chmod(0o600)
            previous = os.getcwd()
            os.chdir(inner)
            try:
                with mock.patch.dict(os.environ, environment, clear=True), warnings.catch_warnings(record=True) as told:
                    warnings.simplefilter("always")
                    settings = resolve_settings(
                        arguments.get("base_url"), arguments.get("api_key"), arguments.get("headers")
                    )
            finally:
                os.chdir(previous)
        return settings.base_url, settings.headers, [str(one.message) for one in told]

    def test_address(self):
        for environment, expected in (
            ({}, "http://127.0.0.1:6006/"),
            ({"PHOENIX_PORT": "7"}, "http://127.0.0.1:7/"),
            ({"PHOENIX_HOST": "0.0.0.0", "PHOENIX_PORT": "7"}, "http://127.0.0.1:7/"),
            ({"PHOENIX_HOST": "h:1", "PHOENIX_PORT": "7"}, "http://h:1/"),
            ({"PHOENIX_HOST": "https://h/x"}, "https://h/x/"),
            ({"PHOENIX_BASE_URL": "http://b", "PHOENIX_HOST": "h"}, "http://b/"),
            ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://o/v1/traces"}, "http://o/"),
            ({"PHOENIX_COLLECTOR_ENDPOINT": "http://c/p/v1/traces/", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://o"}, "http://c/p/"),
            ({"PHOENIX_ENDPOINT": " http://e ", "PHOENIX_COLLECTOR_ENDPOINT": "http://c"}, "http://e/"),
            ({"PHOENIX_ENDPOINT": "http://e", "SPANDREL_ENDPOINT": "http://s"}, "http://s/"),
            ({"PHOENIX_ENDPOINT": "no url", "PHOENIX_HOST": "h"}, "http://h:6006/"),
            ({"PHOENIX_ENDPOINT": "  "}, "http://127.0.0.1:6006/"),
        ):
            with self.subTest(environment):
                self.assertEqual(self.resolve(environment)[0], expected)
        with self.assertRaisesRegex(ValueError, "PORT is 'seven'"):
            self.resolve({"PHOENIX_PORT": "seven"})
        with self.assertRaisesRegex(ValueError, "expected something like"):
            self.resolve({}, base_url="localhost:6006")

    def test_credentials(self):
        headers = {"PHOENIX_CLIENT_HEADERS": "Authorization=Bearer%20x,bad,a=1%2C2", "PHOENIX_API_KEY": "k"}
        _, found, told = self.resolve(headers)
        self.assertEqual((found, len(told)), ({"authorization": "Bearer x", "a": "1,2"}, 1))
        self.assertEqual(self.resolve({"PHOENIX_CLIENT_HEADERS": '{"A": "1", "b": 2}'})[1], {"a": "1"})
        self.assertEqual(self.resolve(headers, api_key="new")[1]["authorization"], "Bearer new")
        self.assertEqual(self.resolve(headers, api_key="new", headers={"AUTHORIZATION": "z"})[1]["authorization"], "z")

    def test_hand_off_file(self):
        file = "# c\nexport PHOENIX_ENDPOINT='http://f'\nPHOENIX_API_KEY=fk\nOTHER=1\nPHOENIX_PORT=x\n"
        self.assertEqual(self.resolve({}, file)[:2], ("http://f/", {"authorization": "Bearer fk"}))
        self.assertEqual(self.resolve({"PHOENIX_DISCOVER_CONFIG": "off"}, file)[0], "http://127.0.0.1:6006/")
        self.assertEqual(self.resolve({"PHOENIX_ENDPOINT": "http://e"}, file)[0], "http://e/")
        self.assertEqual(self.resolve({"PHOENIX_COLLECTOR_ENDPOINT": "http://c"}, file)[0], "http://f/")
        self.assertEqual(self.resolve({"PHOENIX_BASE_URL": "http://b"}, file)[0], "http://f/")
        self.assertEqual(self.resolve({}, "SPANDREL_PORT=9\nPHOENIX_PORT=8")[0], "http://127.0.0.1:9/")
        self.assertEqual(self.resolve({}, "x" * 70_000)[0], "http://127.0.0.1:6006/")
        url, headers, told = self.resolve({"PHOENIX_API_KEY": "own"}, file)
        self.assertEqual((url, headers, len(told)), ("http://f/", {"authorization": "Bearer own"}, 1))


class Import(unittest.TestCase):
    def test_loads_nothing_until_it_is_used(self):
        code = "import sys, spandrel_client; print([n for n in ('httpx', 'json', 'pandas', 'asyncio') if n in sys.modules])"
        told = subprocess.run([sys.executable, "-S", "-c", code], env={"PYTHONPATH": os.pathsep.join(sys.path)}, capture_output=True, text=True)
        self.assertEqual((told.stdout, told.stderr), ("[]\n", ""))


if __name__ == "__main__":
    unittest.main()
