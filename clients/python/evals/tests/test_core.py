"""Scores, conversion, evaluators, input mappings and templates."""

from __future__ import annotations

import asyncio
import json
import unittest
import warnings
from typing import Any

from spandrel_evals import (
    ClassificationEvaluator,
    Evaluator,
    FakeModel,
    LLMEvaluator,
    PromptTemplate,
    Score,
    bind_evaluator,
    create_classifier,
    create_evaluator,
    phoenix_prompt_to_prompt_template,
    to_score,
)
from spandrel_evals.errors import InputError, PhoenixTemplateMappingError, ResultError, TemplateError
from spandrel_evals.utils import extract_with_jsonpath, remap_eval_input


class TestScores(unittest.TestCase):
    def test_a_score_leaves_out_none_and_cannot_be_changed(self) -> None:
        score = Score(name="ok", score=1, label="yes")

        self.assertEqual(
            score.to_dict(), {"name": "ok", "score": 1, "label": "yes", "metadata": {}, "direction": "maximize"}
        )
        with self.assertRaises(AttributeError):
            score.score = 2  # type: ignore[misc]

    def test_old_names_of_kinds_warn_and_are_stored_as_the_new_ones(self) -> None:
        with self.assertWarns(DeprecationWarning):
            self.assertEqual(Score(kind="heuristic").kind, "code")
        with self.assertWarns(DeprecationWarning):
            self.assertEqual(Score(source="llm").kind, "llm")
        with self.assertRaisesRegex(ValueError, "kind is 'llm' and source is 'code'"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Score(kind="llm", source="code")
        for wrong in ({"kind": "robot"}, {"direction": "up"}):
            with self.assertRaisesRegex(ValueError, "expected one of"):
                Score(**wrong)

    def test_results_become_scores_by_one_table(self) -> None:
        import numpy

        for value, expected in (
            (True, {"score": 1.0, "label": "True"}),
            (numpy.bool_(False), {"score": 0.0, "label": "False"}),
            (numpy.float64(0.5), {"score": 0.5}),
            (3, {"score": 3}),
            ("very good indeed", {"label": "very good indeed"}),
            ("it is good because of that", {"explanation": "it is good because of that"}),
            ({"score": 1, "label": "a", "other": 2}, {"score": 1, "label": "a"}),
            ((0.5, "fine", "a reason of many words"), {"score": 0.5, "label": "fine", "explanation": "a reason of many words"}),
            (("a", "b"), {"label": "b"}),
            (Score(name="other", score=2, direction="minimize"), {"score": 2}),
        ):
            with self.subTest(value=value):
                found = to_score(value, name="n", kind="code").to_dict()
                self.assertEqual(found, {"name": "n", "kind": "code", "direction": "maximize", "metadata": {}, **expected})
        for wrong in (None, [1], object(), float("nan"), {"score": "high"}, ()):
            with self.subTest(value=wrong), self.assertRaises(ResultError):
                to_score(wrong, name="n")


@create_evaluator(name="long_enough")
def long_enough(output: str, least: int = 3) -> bool:
    return len(output) >= least


class TestEvaluators(unittest.TestCase):
    def test_a_function_is_an_evaluator_and_can_still_be_called(self) -> None:
        self.assertTrue(long_enough(output="abc"))
        [score] = long_enough.evaluate({"output": "ab", "least": 3, "other": 1})
        self.assertEqual((score.name, score.score, score.label, score.kind), ("long_enough", 0.0, "False", "code"))
        self.assertEqual(asyncio.run(long_enough.async_evaluate({"output": "abc"}))[0].score, 1.0)
        self.assertEqual(long_enough.describe()["input_schema"]["required"], ["output"])

    def test_a_wrong_type_and_a_missing_field_are_one_line(self) -> None:
        with self.assertRaisesRegex(ValueError, "^Input validation failed for long_enough: output: .* got 5$"):
            long_enough.evaluate({"output": 5})
        with self.assertRaisesRegex(ValueError, "^Missing required field 'output'; the row has answer; add it, or give"):
            long_enough.evaluate({"answer": "a"})

    def test_a_coroutine_function_is_async_only(self) -> None:
        @create_evaluator(name="later")
        async def later(output: Any) -> float:
            await asyncio.sleep(0)
            return 0.25

        self.assertEqual(asyncio.run(later.async_evaluate({"output": 1}))[0].score, 0.25)
        with self.assertRaisesRegex(NotImplementedError, "use async_evaluate"):
            later.evaluate({"output": 1})

    def test_binding_makes_a_copy_and_bind_changes_the_evaluator(self) -> None:
        bound = bind_evaluator(evaluator=long_enough, input_mapping={"output": "answer.text"})

        self.assertEqual(bound.evaluate({"answer": {"text": "abcd"}})[0].score, 1.0)
        with self.assertRaises(ValueError):
            long_enough.evaluate({"answer": {"text": "abcd"}})
        bound.unbind()
        with self.assertRaises(ValueError):
            bound.evaluate({"answer": {"text": "abcd"}})
        with self.assertRaisesRegex(TypeError, "expected a key, a JSONPath or a function"):
            bound.bind({"output": 3})  # type: ignore[dict-item]

    def test_a_subclass_defines_evaluate_alone(self) -> None:
        class Both(Evaluator):
            def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
                return [Score(name="a", score=len(eval_input["x"])), Score(name="b", score=1)]

        both = Both(name="both", kind="code", direction="neutral")
        self.assertEqual([one.score for one in both.evaluate({"y": "ab"}, {"x": "y"})], [2, 1])
        self.assertEqual(len(asyncio.run(both.async_evaluate({"y": "ab"}, {"x": "y"}))), 2)
        self.assertEqual(both.describe()["input_schema"], {"unspecified": {"type": "unspecified"}})
        with self.assertRaisesRegex(ValueError, "neither an input schema nor an input mapping"):
            both.evaluate({"y": "ab"})

    def test_choices_decide_the_score(self) -> None:
        llm = FakeModel("bad").llm()
        for choices, score in ((["good", "bad"], None), ({"good": 1, "bad": 0}, 0), ({"good": (1, "fine"), "bad": (-1, "not")}, -1)):
            [found] = create_classifier("q", "Judge {{output}}", llm, choices).evaluate({"output": "x"})
            self.assertEqual((found.label, found.score, found.metadata["model"]), ("bad", score, "fake-model"))

    def test_choices_that_cannot_be_told_apart_are_rejected(self) -> None:
        llm = FakeModel().llm()
        for choices, message in (
            (["one"], "has 1 labels; expected 2"),
            (["a", "A "], "occurs twice"),
            (["a", ""], "expected a text"),
            ({"a": "1", "b": 0}, "expected a number"),
            ({"a": (1, "x"), "b": 0}, "describe all or none"),
            ("ab", "expected a list of labels"),
        ):
            with self.subTest(choices=choices), self.assertRaisesRegex(ValueError, message):
                ClassificationEvaluator(name="q", llm=llm, prompt_template="{{x}}", choices=choices)

    def test_fields_of_a_template_are_texts_and_sections_are_anything(self) -> None:
        seen: list[str] = []
        llm = FakeModel(lambda text, labels: seen.append(text) or "good").llm()
        judge = create_classifier("q", "{{a}}|{{#turns}}{{role}};{{/turns}}|{{b.c}}", llm, ["good", "bad"])

        judge.evaluate({"a": [1, {"x": None}], "turns": [{"role": "u"}, {"role": "v"}], "b": {"c": 2}})

        self.assertEqual(seen, ['[1,{"x":null}]|u;v;|2'])
        for missing in (None, float("nan")):
            with self.assertRaisesRegex(InputError, "a is missing"):
                judge.evaluate({"a": missing, "turns": [], "b": {}})

    def test_an_object_by_schema_is_a_score(self) -> None:
        schema = {"type": "object", "properties": {"score": {"type": "number"}, "explanation": {"type": "string"}}, "required": ["score"]}
        judge = LLMEvaluator(name="rate", llm=FakeModel({"score": 4, "explanation": "so"}).llm(), prompt_template="{{x}}", schema=schema)

        [score] = judge.evaluate({"x": "text"})

        self.assertEqual((score.score, score.explanation, score.kind), (4, "so", "llm"))


class TestMapping(unittest.TestCase):
    row = {"question": {"text": "q", "tags": ["a", "b"]}, "a.b": 1, "input": "i", "other": 2}

    def test_fields_come_from_keys_paths_and_functions(self) -> None:
        found = remap_eval_input(
            self.row,
            ["input", "tag", "dotted", "whole", "joined"],
            {
                "tag": "$.question.tags[-1]",
                "dotted": "a.b",
                "whole": lambda row: len(row),
                "joined": lambda input, other, none="n": f"{input}{other}{none}",
                "input": "",
            },
        )

        self.assertEqual(found, {"input": "i", "tag": "b", "dotted": 1, "whole": 4, "joined": "i2n", "other": 2})

    def test_a_wrong_mapping_says_what_is_wrong(self) -> None:
        for mapping, error, message in (
            ({"x": "nothing"}, ValueError, r"Missing required field 'x' \(looked for nothing\)"),
            ({"x": "question.["}, ValueError, "is no JSONPath of RFC 9535"),
            ({"x": lambda: 1}, ValueError, "takes no parameter"),
            ({"x": 1}, TypeError, "expected a key"),
        ):
            with self.assertRaisesRegex(error, message):
                remap_eval_input(self.row, ["x"], mapping)  # type: ignore[arg-type]

    def test_paths_are_those_of_rfc_9535(self) -> None:
        # The store of the RFC's section 1.5, and results of its table 2.
        book = [
            {"category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95},
            {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99},
            {"category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553-21311-3", "price": 8.99},
            {"category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings", "isbn": "0-395-19395-8", "price": 22.99},
        ]
        store = {"store": {"book": book, "bicycle": {"color": "red", "price": 399}}}
        every = lambda path, data=store: extract_with_jsonpath(data, path, match_all=True)  # noqa: E731
        self.assertEqual(every("$.store.book[*].author"), [one["author"] for one in book])
        self.assertEqual(every("$..author"), [one["author"] for one in book])
        self.assertEqual(len(every("$.store.*")), 2)
        self.assertEqual(sorted(every("$.store..price")), [8.95, 8.99, 12.99, 22.99, 399])
        self.assertEqual(every("$..book[2].title"), ["Moby Dick"])
        self.assertEqual(every("$..book[-1].title"), ["The Lord of the Rings"])
        self.assertEqual(every("$..book[0,1]"), book[:2])
        self.assertEqual(every("$..book[:2]"), book[:2])
        self.assertEqual(every("$..book[?@.isbn]"), book[2:])
        self.assertEqual(every("$..book[?@.price<10].title"), ["Sayings of the Century", "Moby Dick"])
        self.assertEqual(len(every("$..*")), 27)
        # Filters and functions of section 2.3.5 and 2.4.
        data = {"a": [3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}], "o": {"p": 1, "q": 2}, "e": "f"}
        self.assertEqual(every("$.a[?@.b == 'kilo']", data), [{"b": "kilo"}])
        self.assertEqual(every("$.a[?(@.b == 'kilo')]", data), [{"b": "kilo"}])
        self.assertEqual(every("$.a[?@>3.5]", data), [5, 4, 6])
        self.assertEqual(every("$.a[?@<2 || @.b == \"k\"]", data), [1, {"b": "k"}])
        self.assertEqual(every("$.a[?match(@.b, \"[jk]\")]", data), [{"b": "j"}, {"b": "k"}])
        self.assertEqual(every("$.a[?search(@.b, \"[jk]\")]", data), [{"b": "j"}, {"b": "k"}, {"b": "kilo"}])
        self.assertEqual(every("$.o[?@>1 && @<4]", data), [2])
        self.assertEqual(every("$.a[?length(@.b) > 3]", data), [{"b": "kilo"}])
        self.assertEqual(every("$[?count(@.*) == 2]", data), [data["o"]])
        self.assertEqual(every("$.a[?!@.b]", data), [3, 5, 1, 2, 4, 6])
        self.assertEqual(every("$.a[5:1:-2]", data), [6, 2])
        self.assertEqual(every("$.absent", data), [])
        self.assertEqual(every("""$["o"]['\\u0070']""", data), [1])
        for wrong in ("$.", "$[", "$[01]", "$['a", "$[?@.a = 1]", "$[?length(@.*) == 1]", "$.a b", "$[?count(1)]", "$[?@.* == 1]", "x" * 1001):
            with self.subTest(path=wrong), self.assertRaises(InputError):
                extract_with_jsonpath(data, wrong)


class TestTemplates(unittest.TestCase):
    def test_formats_are_told_apart(self) -> None:
        for text, variables, form in (
            ("{{a}} {{b.c}} {{#d}}{{x}}{{/d}}", ["a", "b", "d"], "mustache"),
            ("{a} {b.c}", ["a", "b.c"], "f-string"),
            ("{{a}} and {b}", ["a"], "mustache"),
            ('Answer {"label": 1} or {3}', [], "mustache"),
            ('{question} as {{"label": 1}}', ["question"], "f-string"),
        ):
            template = PromptTemplate(template=text)
            self.assertEqual((template.variables, template.template_format), (variables, form), text)
        self.assertEqual(PromptTemplate(template="{{a}}{{b.c}}").variable_types, {"a": "string", "b": "section"})

    def test_rows_are_never_read_as_templates_and_nothing_is_escaped(self) -> None:
        row = {"a": "{{b}} <&> {b}", "b": "secret"}
        self.assertEqual(PromptTemplate(template="  say {{a}}").render(row), [{"role": "user", "content": "say {{b}} <&> {b}"}])
        self.assertEqual(PromptTemplate(template="say {a}").render(row)[0]["content"], "say {{b}} <&> {b}")
        self.assertEqual(PromptTemplate(template='{a.b} {{"x"}}').render({"a.b": 1})[0]["content"], '1 {"x"}')

    def test_sections_repeat_and_invert(self) -> None:
        template = PromptTemplate(template="{{#turns}}\n- {{text}} {{outer}}\n{{/turns}}\n{{^turns}}none{{/turns}}{{! note }}")
        self.assertEqual(template.render({"turns": [{"text": "a"}, {"text": "b"}], "outer": 1})[0]["content"], "- a 1\n- b 1\n")
        self.assertEqual(template.render({"turns": []})[0]["content"], "none")

    def test_attributes_cannot_be_reached(self) -> None:
        for text in ("{0.__class__}", "{a.__class__}", "{a[__class__]}", "{__proto__}"):
            with self.subTest(text=text), self.assertRaisesRegex(TemplateError, "refused"):
                PromptTemplate(template=text, template_format="f-string")
        for text in ("{{__proto__}}|", "{{a.__class__}}|", "{{constructor.name}}|"):
            self.assertEqual(PromptTemplate(template=text).render({"a": "x"})[0]["content"], "|")

    def test_templates_that_cannot_be_read_are_rejected(self) -> None:
        for text, message in (
            ("a\n{{#section}} b", "line 2: {{#section}} is never closed; add {{/section}}"),
            ("{{/a}}", "closes nothing"),
            ("{{#a}}{{#b}}{{/a}}{{/b}}", "expected {{/b}}"),
            ("{{> part}}", "a partial is not supported"),
        ):
            with self.subTest(text=text), self.assertRaises(TemplateError) as caught:
                PromptTemplate(template=text, template_format="mustache")
            self.assertIn(message, str(caught.exception))
        with self.assertRaisesRegex(TemplateError, "needs 'b'; the row has a"):
            PromptTemplate(template="{b}").render({"a": 1})
        for wrong in ([], [{"role": "user"}], [{"role": "user", "content": [{"type": "video"}]}], 5):
            with self.subTest(template=wrong), self.assertRaises(TemplateError):
                PromptTemplate(template=wrong)

    def test_a_stored_prompt_becomes_a_template(self) -> None:
        version = {
            "template_type": "CHAT",
            "template_format": "MUSTACHE",
            "template": {
                "type": "chat",
                "messages": [{"role": "system", "content": "Be brief"}, {"role": "user", "content": [{"type": "text", "text": "{{q}}"}]}],
            },
        }
        rendered = phoenix_prompt_to_prompt_template(version).render({"q": "why"})
        self.assertEqual(rendered, [{"role": "system", "content": "Be brief"}, {"role": "user", "content": "why"}])
        image = json.loads(json.dumps(version).replace('"text", "text"', '"image", "url"'))
        for wrong in ({**version, "template_type": "STR"}, {**version, "template_format": "JINJA"}, image, {}, 5):
            with self.subTest(version=wrong), self.assertRaises(PhoenixTemplateMappingError):
                phoenix_prompt_to_prompt_template(wrong)


if __name__ == "__main__":
    unittest.main()
