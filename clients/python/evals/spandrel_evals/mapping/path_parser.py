"""Parser of JSONPath queries (RFC 9535, section 2)."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..errors import InputError, quote
from .path_filters import FUNCTIONS, Call, Comparison, Existence, Literal, Logical, Negation, Query

# A selector: its kind (name, wildcard, index, slice, filter) and its value.
Selector = tuple[str, Any]

_NAME = re.compile(r"[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_NUMBER = re.compile(r"(?:-?(?:0|[1-9][0-9]*))(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_FUNCTION = re.compile(r"([a-z][a-z0-9_]*)\(")
_OPERATOR = re.compile(r"==|!=|<=|>=|<|>")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "/": "/", "\\": "\\", "'": "'", '"': '"'}
_NESTING_MAX = 20
_INTEGER_MAX = 2**53 - 1


class Segment(NamedTuple):
    selectors: tuple[Selector, ...]
    is_descendant: bool


class Parser:
    """Reads one text. Each method starts at `position` and moves it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0

    def parse_query(self) -> tuple[Segment, ...]:
        self.expect("$")
        segments = self.segments()
        if self.position != len(self.text):
            self.fail("the end")
        return segments

    def segments(self) -> tuple[Segment, ...]:
        found: list[Segment] = []
        while True:
            start = self.position
            self.blanks()
            if self.take(".."):
                found.append(Segment(self.bracket() if self.peek() == "[" else (self.shorthand(),), True))
            elif self.take("."):
                found.append(Segment((self.shorthand(),), False))
            elif self.peek() == "[":
                found.append(Segment(self.bracket(), False))
            else:
                self.position = start
                return tuple(found)

    def shorthand(self) -> Selector:
        if self.take("*"):
            return ("wildcard", None)
        matched = _NAME.match(self.text, self.position)
        if not matched:
            self.fail("a name or *")
        self.position = matched.end()
        return ("name", matched.group())

    def bracket(self) -> tuple[Selector, ...]:
        self.expect("[")
        self.depth += 1
        if self.depth > _NESTING_MAX:
            self.fail(f"at most {_NESTING_MAX} nested brackets")
        found = [self.selector()]
        while self.take_spaced(","):
            found.append(self.selector())
        if not self.take_spaced("]"):
            self.fail("] or ,")
        self.depth -= 1
        return tuple(found)

    def selector(self) -> Selector:
        self.blanks()
        first = self.peek()
        if first in ("'", '"'):
            return ("name", self.string())
        if self.take("*"):
            return ("wildcard", None)
        if self.take("?"):
            return ("filter", self.logical_or())
        start = self.integer()
        if not self.take_spaced(":"):
            if start is None:
                self.fail("a name in quotes, a number, a slice, * or ?")
            return ("index", start)
        self.blanks()
        end = self.integer()
        step = None
        if self.take_spaced(":"):
            self.blanks()
            step = self.integer()
        return ("slice", (start, end, step))

    def integer(self) -> int | None:
        matched = _INTEGER.match(self.text, self.position)
        if not matched:
            return None
        self.position = matched.end()
        value = int(matched.group())
        if abs(value) > _INTEGER_MAX:
            self.fail("an integer below 2**53")
        return value

    def string(self) -> str:
        mark = self.text[self.position]
        self.position += 1
        found: list[str] = []
        while True:
            if self.position >= len(self.text):
                self.fail(f"a closing {mark}")
            one = self.text[self.position]
            self.position += 1
            if one == mark:
                # Pairs of escaped surrogates are one character.
                return "".join(found).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            if one == "\\":
                found.append(self.escape())
            elif one < " ":
                self.fail("no control character in a name")
            else:
                found.append(one)

    def escape(self) -> str:
        one = self.text[self.position : self.position + 1]
        self.position += 1
        if one == "u":
            digits = self.text[self.position : self.position + 4]
            if not re.fullmatch(r"[0-9A-Fa-f]{4}", digits):
                self.fail("four hexadecimal digits")
            self.position += 4
            return chr(int(digits, 16))
        if one not in _ESCAPES:
            self.fail("an escape sequence of JSON")
        return _ESCAPES[one]

    # Filters

    def logical_or(self) -> Any:
        parts = [self.logical_and()]
        while self.take_spaced("||"):
            parts.append(self.logical_and())
        return parts[0] if len(parts) == 1 else Logical(any, parts)

    def logical_and(self) -> Any:
        parts = [self.basic()]
        while self.take_spaced("&&"):
            parts.append(self.basic())
        return parts[0] if len(parts) == 1 else Logical(all, parts)

    def basic(self) -> Any:
        self.depth += 1
        if self.depth > _NESTING_MAX:
            self.fail(f"at most {_NESTING_MAX} nested conditions")
        try:
            self.blanks()
            if self.take("!"):
                return Negation(self.basic_test())
            if self.peek() == "(":
                return self.parenthesis()
            return self.comparison()
        finally:
            self.depth -= 1

    def basic_test(self) -> Any:
        self.blanks()
        return self.parenthesis() if self.peek() == "(" else self.as_test(self.operand())

    def parenthesis(self) -> Any:
        self.expect("(")
        found = self.logical_or()
        if not self.take_spaced(")"):
            self.fail(")")
        return found

    def comparison(self) -> Any:
        left = self.operand()
        self.blanks()
        matched = _OPERATOR.match(self.text, self.position)
        if not matched:
            return self.as_test(left)
        self.position = matched.end()
        self.blanks()
        right = self.operand()
        for side in (left, right):
            if isinstance(side, Query) and not side.is_singular:
                self.fail("a comparison of single values")
            if isinstance(side, Call) and not FUNCTIONS[side.name].is_value:
                self.fail(f"no comparison with {side.name}()")
        return Comparison(left, matched.group(), right)

    def as_test(self, operand: Any) -> Any:
        if isinstance(operand, Query):
            return Existence(operand)
        if isinstance(operand, Call) and not FUNCTIONS[operand.name].is_value:
            return operand
        return self.fail("a comparison, a path or a function that tests")

    def operand(self) -> Any:
        self.blanks()
        first = self.peek()
        if first in ("'", '"'):
            return Literal(self.string())
        if first in ("@", "$"):
            self.position += 1
            return Query(self.segments(), is_relative=first == "@")
        for word, value in (("true", True), ("false", False), ("null", None)):
            if re.match(rf"{word}(?![A-Za-z0-9_(])", self.text[self.position :]):
                self.position += len(word)
                return Literal(value)
        matched = _FUNCTION.match(self.text, self.position)
        if matched:
            return self.call(matched)
        matched = _NUMBER.match(self.text, self.position)
        if not matched:
            self.fail("a value, a path or a function")
        self.position = matched.end()
        text = matched.group()
        return Literal(float(text) if re.search(r"[.eE]", text) else int(text))

    def call(self, matched: re.Match[str]) -> Call:
        name = matched.group(1)
        if name not in FUNCTIONS:
            self.fail(f"one of the functions {', '.join(FUNCTIONS)}")
        self.position = matched.end()
        arguments = [self.operand()]
        while self.take_spaced(","):
            arguments.append(self.operand())
        if not self.take_spaced(")"):
            self.fail(")")
        function = FUNCTIONS[name]
        if len(arguments) != function.count:
            self.fail(f"{function.count} arguments of {name}()")
        for one in arguments:
            if function.takes_nodes and not isinstance(one, Query):
                self.fail(f"a path in {name}()")
            if not function.takes_nodes and isinstance(one, Query) and not one.is_singular:
                self.fail(f"a path to one value in {name}()")
        return Call(name, arguments)

    # Characters

    def peek(self) -> str:
        return self.text[self.position : self.position + 1]

    def blanks(self) -> None:
        while self.peek() and self.peek() in " \t\n\r":
            self.position += 1

    def take(self, token: str) -> bool:
        if not self.text.startswith(token, self.position):
            return False
        self.position += len(token)
        return True

    def take_spaced(self, token: str) -> bool:
        start = self.position
        self.blanks()
        if self.take(token):
            return True
        self.position = start
        return False

    def expect(self, token: str) -> None:
        if not self.take(token):
            self.fail(token)

    def fail(self, expected: str) -> Any:
        raise InputError(f"the JSONPath {quote(self.text)} cannot be read at character {self.position}: expected {expected}")
