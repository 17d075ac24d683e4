"""Trajectories in ATIF become trees of spans that read back."""

import asyncio
import unittest

from spandrel_client import AsyncClient, Client
from spandrel_client.helpers.atif import atif_to_spans
from spandrel_client.helpers.spans import async_upload_atif_trajectories_as_spans, upload_atif_trajectories_as_spans
from support import SERVER_URL, eventually, unique


def trajectory(session, **changes):
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": session,
        "agent": {"name": "coder", "version": "1.0", "model_name": "m1"},
        "steps": [
            {"step_id": 1, "source": "system", "message": "Be brief.", "timestamp": "2026-02-03T04:05:06Z"},
            {
                "step_id": 2,
                "source": "user",
                "message": [{"type": "text", "text": "Which files?"}],
                "timestamp": "2026-02-03T04:05:07Z",
            },
            {
                "step_id": 3,
                "source": "agent",
                "message": "I look.",
                "reasoning_content": "A tool knows.",
                "timestamp": "2026-02-03T04:05:09.12Z",
                "tool_calls": [
                    {"tool_call_id": "c1", "function_name": "list", "arguments": {"path": "/"}},
                    {"tool_call_id": "c2", "function_name": "ask", "arguments": {}},
                ],
                "observation": {
                    "results": [
                        {"source_call_id": "c1", "content": "a.txt"},
                        {"source_call_id": "c2", "content": "done", "subagent_trajectory_ref": [{"trajectory_id": "child"}]},
                    ]
                },
                "metrics": {"prompt_tokens": 10, "completion_tokens": 5, "cached_tokens": 4, "cost_usd": 0.25},
            },
            {"step_id": 4, "source": "agent", "message": "One: a.txt", "timestamp": "2026-02-03T04:05:12Z"},
            {"step_id": 5, "source": "user", "message": "Thanks."},
            {"step_id": 6, "source": "agent", "message": "noted", "llm_call_count": 0},
        ],
        "subagent_trajectories": [
            {
                "schema_version": "ATIF-v1.7",
                "trajectory_id": "child",
                "agent": {"name": "helper"},
                "steps": [{"source": "user", "message": "x"}, {"source": "agent", "message": "y"}],
            }
        ],
        **changes,
    }


class Atif(unittest.TestCase):
    def test_a_trajectory_is_a_tree_that_is_stored_once(self):
        project, session = unique("atif"), unique("session")
        client = Client(base_url=SERVER_URL)
        self.addCleanup(client.close)
        stored = upload_atif_trajectories_as_spans(client, [trajectory(session)], project_name=project)
        self.assertEqual(stored, {"total_received": 11, "total_queued": 11})

        def read():
            found = client.spans.get_spans(project_identifier=project)
            self.assertEqual(len(found), 11)
            return found

        spans = {span["context"]["span_id"]: span for span in eventually(read)}

        def path(span):
            parent = spans.get(span.get("parent_id"))
            return (*(path(parent) if parent else ()), f"{span['span_kind']} {span['name']}")

        turn = ("AGENT coder", "AGENT turn 1")
        child = (*turn, "TOOL ask", "AGENT helper")
        self.assertEqual(
            sorted(path(span) for span in spans.values()),
            sorted(
                [
                    *[turn[:1], turn, (*turn, "LLM m1"), (*turn, "LLM m1"), (*turn, "TOOL list"), (*turn, "TOOL ask")],
                    *[child, (*child, "AGENT turn 1"), (*child, "AGENT turn 1", "LLM step")],
                    *[(turn[0], "AGENT turn 2"), (turn[0], "AGENT turn 2", "CHAIN m1")],
                ]
            ),
        )
        first = min((span for span in spans.values() if span["name"] == "m1"), key=lambda span: span["start_time"])["attributes"]
        self.assertEqual(
            (first["llm.token_count.total"], first["llm.token_count.prompt_details.cache_read"], first["llm.cost.total"]),
            (15, 4, 0.25),
        )
        self.assertEqual([first[f"llm.input_messages.{number}.message.role"] for number in (0, 1)], ["system", "user"])
        self.assertEqual(first["llm.output_messages.0.message.tool_calls.0.tool_call.function.name"], "list")
        self.assertEqual(first["session.id"], session)
        tool = next(span for span in spans.values() if span["name"] == "list")
        self.assertEqual(
            (tool["attributes"]["output.value"], tool["start_time"][:19], tool["end_time"][:19]),
            ("a.txt", "2026-02-03T04:05:09", "2026-02-03T04:05:12"),
        )
        # A longer version of the same trajectory adds only what is new.
        longer = trajectory(session)
        longer["steps"].append({"source": "agent", "message": "more"})

        async def again():
            async with AsyncClient(base_url=SERVER_URL) as asynchronous:
                return await async_upload_atif_trajectories_as_spans(asynchronous, longer, project_name=project)

        self.assertEqual(asyncio.run(again()), {"total_received": 12, "total_queued": 1})

    def test_sub_agents_of_older_versions_are_found_among_the_others_and_loops_end(self):
        parent = {
            "schema_version": "ATIF-v1.2",
            "session_id": "p",
            "agent": {"name": "p"},
            "steps": [
                {
                    "source": "agent",
                    "message": "",
                    "observation": {"results": [{"content": "", "subagent_trajectory_ref": [{"session_id": "c"}]}]},
                }
            ],
        }
        child = {
            **parent,
            "session_id": "c",
            "agent": {"name": "c"},
            "steps": [
                {
                    "source": "agent",
                    "message": "",
                    "observation": {"results": [{"subagent_trajectory_ref": [{"session_id": "c"}]}]},
                }
            ],
        }
        spans = atif_to_spans([child, parent])
        self.assertEqual({span["context"]["trace_id"] for span in spans}, {spans[0]["context"]["trace_id"]})
        self.assertEqual([span["name"] for span in spans if span["span_kind"] == "AGENT"], ["p", "turn 1", "c", "turn 1"])
        self.assertEqual(len({span["context"]["span_id"] for span in spans}), len(spans))

    def test_other_things_are_rejected_in_one_line(self):
        for given, expected in [
            ([1], "trajectory 0 is 'int'; expected a dict whose schema_version is ATIF-v1.0 to ATIF-v1.7"),
            ({"schema_version": "ATIF-v2.0"}, "ATIF-v2.0"),
            ({"schema_version": "ATIF-v1.0", "steps": []}, "has no steps"),
            ({"schema_version": "ATIF-v1.0", "steps": [{"source": "tool"}]}, "expected system, user or agent"),
            ({"schema_version": "ATIF-v1.0", "steps": [{"source": "user", "timestamp": "soon"}]}, "'soon' is no time"),
        ]:
            with self.subTest(given=given), self.assertRaises(ValueError) as raised:
                atif_to_spans(given)
            self.assertIn(expected, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
