"""Prompts: stored and read back, and formatted as the public client formats them."""

import unittest
import warnings

from phoenix.client import Client as PublicClient
from phoenix.client.types import PromptVersion as PublicVersion

from spandrel_client import Client, PromptVersion
from spandrel_client.exceptions import PromptConversionError, TemplateFormatterError
from support import SERVER_URL, unique

TOOL = {
    "type": "function",
    "function": {"name": "weather", "description": "d", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
}
OPENAI = {
    "model": "gpt-x",
    "temperature": 0.5,
    "max_completion_tokens": 10,
    "messages": [
        {"role": "system", "content": "You know {{ topic }}."},
        {"role": "user", "content": [{"type": "text", "text": "What is {{thing}}?"}]},
        {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\": \"Ulm\"}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "sun"},
    ],
    "tools": [TOOL],
    "tool_choice": {"type": "function", "function": {"name": "weather"}},
    "response_format": {"type": "json_schema", "json_schema": {"name": "r", "schema": {"type": "object"}, "strict": True}},
}
ANTHROPIC = {
    "model": "claude-x",
    "max_tokens": 50,
    "system": "You know {{ topic }}.",
    "messages": [
        {"role": "user", "content": "What is {{thing}}?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Ulm"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "sun"}]},
    ],
    "tools": [{"name": "weather", "description": "d", "input_schema": {"type": "object"}}],
    "tool_choice": {"type": "any"},
}
VALUES = {"topic": "birds", "thing": "a {{wren}}"}


class Prompts(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.client = Client(base_url=SERVER_URL)
        cls.public = PublicClient(base_url=SERVER_URL)

    def test_formats_what_the_public_client_formats(self):
        for read, theirs_read, arguments in (
            (PromptVersion.from_openai, PublicVersion.from_openai, OPENAI),
            (PromptVersion.from_anthropic, PublicVersion.from_anthropic, ANTHROPIC),
        ):
            name = unique("prompt").replace(" ", "-")
            made = self.client.prompts.create(name=name, version=read(arguments), prompt_description="d")
            ours = self.client.prompts.get(prompt_identifier=name)
            theirs = self.public.prompts.get(prompt_identifier=name)
            stored = self.public.prompts.create(name=f"{name}-theirs", version=theirs_read(arguments))

            self.assertEqual((ours.id, made.id), (theirs.id, theirs.id))
            as_openai = [dict(one.format(variables=VALUES, sdk="openai")) for one in (ours, theirs)]
            if arguments is ANTHROPIC:
                # The public client loses the result of the tool.
                self.assertEqual(as_openai[0]["messages"].pop(), {"role": "tool", "tool_call_id": "c1", "content": "sun"})
                as_openai[1]["messages"].pop()
            self.assertEqual(*as_openai)
            self.assertEqual(dict(ours.format(variables=VALUES)), dict(stored.format(variables=VALUES)) | {
                # The public client leaves the variables of a system text of Anthropic as they are.
                **({"system": "You know birds."} if arguments is ANTHROPIC else {}),
            })

    def test_arguments_survive_storing(self):
        for read, arguments, sdk in (
            (PromptVersion.from_openai, OPENAI, "openai"),
            (PromptVersion.from_anthropic, ANTHROPIC, "anthropic"),
        ):
            stored = self.client.prompts.create(name=unique("p").replace(" ", "-"), version=read(arguments, template_format="NONE"))
            formatted = stored.format()
            again = read(formatted, template_format="NONE")
            self.assertEqual(dict(again.format()), dict(formatted))
            self.assertEqual(formatted["model"], arguments["model"])

    def test_other_vendors(self):
        version = PromptVersion.from_openai({**OPENAI, "response_format": None, "max_completion_tokens": 10})
        google = version.format(variables=VALUES, sdk="google_generativeai")
        self.assertEqual(google["config"]["system_instruction"], "You know birds.")
        self.assertEqual(google["config"]["max_output_tokens"], 10)
        self.assertEqual(google["contents"][-1]["parts"][0]["function_response"]["name"], "weather")
        bedrock = version.format(variables=VALUES, sdk="bedrock")
        self.assertEqual(bedrock["toolConfig"]["toolChoice"], {"tool": {"name": "weather"}})
        self.assertEqual(bedrock["messages"][1]["content"][0]["toolUse"]["input"], {"city": "Ulm"})
        responses = version.format(variables=VALUES, sdk="openai_responses")
        self.assertEqual(responses["input"][-1], {"type": "function_call_output", "call_id": "c1", "output": "sun"})
        self.assertEqual(responses["tools"][0]["name"], "weather")
        for read, formatted in (
            (lambda one: PromptVersion.from_aws(one), bedrock),
            (lambda one: PromptVersion.from_google_genai(one["model"], one["contents"], config=one["config"]), google),
        ):
            self.client.prompts.create(name=unique("v").replace(" ", "-"), version=read(formatted))
        with self.assertRaisesRegex(PromptConversionError, "cannot express a response format"):
            PromptVersion.from_openai(OPENAI).format(variables=VALUES, sdk="bedrock")
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
        shown = PromptVersion.from_openai({"model": "m", "messages": [{"role": "user", "content": [image]}]})
        self.assertEqual(shown.format()["messages"][0]["content"], [image])
        self.assertEqual(shown.format(sdk="anthropic")["messages"][0]["content"][0]["source"]["data"], "AAAA")
        with self.assertRaisesRegex(PromptConversionError, "cannot store a content part of the type 'input_audio'"):
            PromptVersion.from_openai({"model": "m", "messages": [{"role": "user", "content": [{"type": "input_audio"}]}]})

    def test_notebooks_show_texts_and_the_kinds_of_other_parts(self):
        parts = [{"type": "text", "text": "<b>"}, {"type": "image", "image": {"url": "https://x.example/a.png"}}]
        version = PromptVersion([{"role": "user", "content": parts}], model_name="m")
        self.assertIn("<th style='text-align:left'>user</th><td style='text-align:left;white-space:pre-wrap;overflow-wrap:anywhere;max-width:45em'>&lt;b&gt;\n[image]</td>", version._repr_html_())

    def test_variables(self):
        version = PromptVersion([{"role": "user", "content": "a \\{{b}} {{ c }}"}], model_name="m")
        self.assertEqual(version.format(variables={"c": "{{d}}"})["messages"][0]["content"], "a \\{{b}} {{d}}")
        with self.assertRaisesRegex(TemplateFormatterError, "needs the variable 'c'; the given ones are: x"):
            version.format(variables={"x": 1})
        fields = PromptVersion([{"role": "user", "content": "{a:>3} {{x}} {b!r}"}], model_name="m", template_format="F_STRING")
        self.assertEqual(fields.format(variables={"a": 1, "b": "q"})["messages"][0]["content"], "  1 {x} 'q'")
        with self.assertRaises(TemplateFormatterError):
            PromptVersion([{"role": "user", "content": "{a.__class__}"}], model_name="m", template_format="F_STRING").format(variables={"a": 1})

    def test_tags_and_lists(self):
        name = unique("tags").replace(" ", "-")
        versions = [self.client.prompts.create(name=name, version=PromptVersion([{"role": "user", "content": str(n)}], model_name="m")) for n in range(2)]
        self.client.prompts.tags.create(prompt_version_id=versions[0].id, name="production")

        self.assertEqual(self.client.prompts.get(prompt_identifier=name, tag="production").id, versions[0].id)
        self.assertEqual([one.id for one in self.client.prompts.versions(prompt_identifier=name)], [versions[1].id, versions[0].id])
        self.assertEqual(
            self.client.prompts.tags.list(prompt_version_id=versions[0].id),
            self.public.prompts.tags.list(prompt_version_id=versions[0].id),
        )
        self.assertIn(name, [prompt["name"] for prompt in self.client.prompts.list.iter()])
        self.client.prompts.update(prompt_identifier=name, prompt_description="new")
        self.client.prompts.delete(prompt_identifier=name)
        with self.assertRaisesRegex(ValueError, "there is no prompt .*404 Not Found"):
            self.client.prompts.get(prompt_identifier=name)

    def test_a_server_that_is_down_stops_no_application(self):
        import httpx

        name = unique("stale").replace(" ", "-")
        self.client.prompts.create(name=name, version=PromptVersion([{"role": "user", "content": "x"}], model_name="m"))
        is_down = False

        class Breaking(httpx.HTTPTransport):
            def handle_request(self, request):
                if is_down:
                    raise httpx.ConnectError("down", request=request)
                return super().handle_request(request)

        client = Client(http_client=httpx.Client(base_url=SERVER_URL, transport=Breaking()))
        client._driver.transport.attempt_count = 1
        first = client.prompts.get(prompt_identifier=name)
        is_down = True
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            self.assertEqual(client.prompts.get(prompt_identifier=name).to_dict(), first.to_dict())
        self.assertIn("an earlier answer is used", str(told[0].message))


if __name__ == "__main__":
    unittest.main()
