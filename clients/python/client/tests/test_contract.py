"""Names, arguments and defaults of the public client, version 3.5, as one table; what is missing stands in COVERAGE.md."""

import ast
import importlib
import inspect
import pathlib
import unittest

from spandrel_client import AsyncClient, Client
from spandrel_client.resources.annotation_configs import AnnotationConfigs
from spandrel_client.resources.base import listing, operation
from spandrel_client.resources.dataset_labels import DatasetLabels
from spandrel_client.resources.datasets import Datasets
from spandrel_client.resources.experiments import Experiments
from spandrel_client.resources.projects import Projects
from spandrel_client.resources.prompts import Prompts, PromptTags
from spandrel_client.resources.sessions import Sessions
from spandrel_client.resources.spans import Spans
from spandrel_client.resources.traces import Traces

DATA = "examples=None, dataframe=None, csv_file_path=None, input_keys=(), output_keys=(), metadata_keys=(), split_keys=(), split_key=None, span_id_key=None, example_id_key=None, inputs=(), outputs=(), metadata=()"
ANNOTATION = "annotation_name, annotator_kind='HUMAN', label=None, score=None, explanation=None, metadata=None"
FRAME = "dataframe, annotation_name=None, annotator_kind=None"
FILTERS = "include_annotation_names=None, exclude_annotation_names=None, limit=1000, timeout=5"
EVALUATION = "print_summary=True, timeout=60, rate_limit_errors=None, retries=3"

METHODS = f"""
projects.get(project_id=None, project_name=None)
projects.list(name_contains=None)
projects.create(name, description=None)
projects.update(project_id=None, project_name=None, description)
projects.delete(project_id=None, project_name=None)
spans.get_spans(project_identifier, start_time=None, end_time=None, trace_ids=None, span_ids=None, parent_id=None, name=None, span_kind=None, status_code=None, attributes=None, limit=100, timeout=5)
spans.get_spans_dataframe(query=None, start_time=None, end_time=None, limit=1000, root_spans_only=None, project_identifier=None, project_name=None, timeout=5)
spans.get_span_annotations(span_ids=None, spans=None, project_identifier, {FILTERS})
spans.get_span_annotations_dataframe(spans_dataframe=None, span_ids=None, spans=None, project_identifier='default', {FILTERS})
spans.log_spans(project_identifier, spans, timeout=5)
spans.log_spans_dataframe(project_identifier, spans_dataframe, timeout=5)
spans.delete(span_identifier, timeout=5)
spans.add_span_annotation(span_id, {ANNOTATION}, identifier=None, sync=False)
spans.log_span_annotations(span_annotations, sync=False)
spans.log_span_annotations_dataframe({FRAME}, sync=False)
spans.add_document_annotation(span_id, document_position, {ANNOTATION}, sync=False)
spans.log_document_annotations(document_annotations, sync=False)
spans.log_document_annotations_dataframe({FRAME}, sync=False)
spans.add_span_note(span_id, note)
traces.get_traces(project_identifier, start_time=None, end_time=None, sort=None, order=None, include_spans=False, session_id=None, error=None, min_latency_ms=None, max_latency_ms=None, limit=100, timeout=5)
traces.add_trace_annotation(trace_id, {ANNOTATION}, identifier=None, sync=False)
traces.log_trace_annotations(trace_annotations, sync=False)
traces.log_trace_annotations_dataframe({FRAME}, sync=False)
sessions.get(session_id, timeout=5)
sessions.list(project_id=None, project_name=None, limit=None, timeout=5)
sessions.get_sessions_dataframe(project_id=None, project_name=None, limit=None, timeout=5)
sessions.get_session_turns(session_id, timeout=5)
sessions.delete(session_id)
sessions.bulk_delete(session_ids)
sessions.add_session_annotation(session_id, {ANNOTATION}, identifier=None, sync=False)
sessions.log_session_annotations(session_annotations, sync=False)
sessions.log_session_annotations_dataframe({FRAME}, sync=False)
datasets.get_dataset(dataset, version_id=None, splits=None, timeout=5)
datasets.get_dataset_versions(dataset, limit=100)
datasets.list(limit=None)
datasets.create_dataset(name, {DATA}, dataset_description=None, timeout=5)
datasets.add_examples_to_dataset(dataset, {DATA}, timeout=5)
prompts.get(prompt_version_id=None, prompt_identifier=None, tag=None)
prompts.create(version, name, prompt_description=None, prompt_metadata=None)
prompts.update(prompt_identifier, prompt_description=NOT_GIVEN, prompt_metadata=NOT_GIVEN)
prompts.delete(prompt_identifier)
prompts.tags.create(prompt_version_id, name, description=None)
prompts.tags.list(prompt_version_id)
experiments.create(dataset_id, dataset_version_id=None, experiment_name=None, experiment_description=None, experiment_metadata=None, splits=None, repetitions=1, timeout=60)
experiments.get(experiment_id)
experiments.get_experiment(experiment_id)
experiments.list(dataset_id)
experiments.delete(experiment_id, delete_project=False)
experiments.log_run(experiment_id, dataset_example_id, output, start_time, end_time, repetition_number=1, trace_id=None, error=None)
experiments.log_evaluation(experiment_run_id, name, annotator_kind='CODE', start_time=None, end_time=None, score=None, label=None, explanation=None, error=None, metadata=None, trace_id=None)
experiments.get_dataset_experiments_url(dataset_id)
experiments.get_experiment_url(dataset_id, experiment_id)
experiments.run_experiment(dataset, task, evaluators=None, experiment_name=None, experiment_description=None, experiment_metadata=None, rate_limit_errors=None, dry_run=False, print_summary=True, timeout=60, repetitions=1, retries=3, concurrency=3)
experiments.evaluate_experiment(experiment, evaluators, dry_run=False, {EVALUATION}, concurrency=3)
experiments.resume_experiment(experiment_id, task, evaluators=None, {EVALUATION}, concurrency=3)
experiments.resume_evaluation(experiment_id, evaluators, {EVALUATION}, concurrency=3)
"""

FUNCTIONS = """
Client(base_url=None, api_key=None, headers=None, http_client=None)
AsyncClient(base_url=None, api_key=None, headers=None, http_client=None)
types.prompts:PromptVersion(messages, model_name, description=None, model_provider='OPENAI', template_format='MUSTACHE')
types.prompts:PromptVersion.format(variables=None, formatter=None, sdk=None)
types.prompts:PromptVersion.from_openai(params, template_format='MUSTACHE', description=None, model_provider='OPENAI')
types.prompts:PromptVersion.from_anthropic(params, template_format='MUSTACHE', description=None, model_provider='ANTHROPIC')
types.spans:SpanQuery.where(condition)
types.spans:SpanQuery.with_index(key)
experiments:create_evaluator(kind='CODE', name=None, scorer=None)
helpers.spans:uniquify_spans(spans, in_place=False)
helpers.spans:uniquify_spans_dataframe(df, in_place=False)
helpers.spans:dataframe_to_spans(df)
helpers.atif:upload_atif_trajectories_as_spans(client, trajectories, project_name, timeout=5)
tracing:register(endpoint=None, project_name=None, batch=False, set_global_tracer_provider=True, headers=None, protocol=None, verbose=True, auto_instrument=False, api_key=None)
tracing:SimpleSpanProcessor(span_exporter=None, endpoint=None, headers=None, protocol=None)
tracing:BatchSpanProcessor(span_exporter=None, endpoint=None, headers=None, protocol=None)
pytest:log_output(output)
pytest:log_evaluation(name, score=None, label=None, explanation=None, annotator_kind='CODE', metadata=None)
pytest:evaluate(evaluator)
"""

NAMES = {
    "exceptions": "PhoenixException InvalidSpanInfo DuplicateSpanInfo SpanCreationError DatasetUploadError",
    "types": "NOT_GIVEN NotGiven PromptVersion",
    "experiments": "run_experiment async_run_experiment get_experiment async_get_experiment resume_experiment async_resume_experiment "
    "resume_evaluation async_resume_evaluation evaluate_experiment async_evaluate_experiment create_evaluator",
    "helpers.spans": "get_retrieved_documents get_input_output_context async_get_retrieved_documents async_get_input_output_context",
    "tracing": "register TracerProvider SimpleSpanProcessor BatchSpanProcessor HTTPSpanExporter GRPCSpanExporter Resource PROJECT_NAME "
    "suppress_tracing using_attributes using_metadata using_prompt_template using_session using_tags using_user SpanAttributes "
    "OpenInferenceSpanKindValues OpenInferenceMimeTypeValues agent chain tool llm",
    "pytest": "log_output log_evaluation evaluate PhoenixContextError",
}
# Of the public client, and listed with a reason in COVERAGE.md.
LISTED = {"Harbor plugin", "rate limiter with a token bucket", "version gates"}


def parse(line):
    """`a.b(c, d=1)` as a path and its arguments; a value that is no constant stays text."""
    path, _, inside = line.partition("(")
    words = [one if "=" in one else f"{one}=REQUIRED" for one in inside[:-1].split(", ")]
    call = ast.parse(f"f({', '.join(words)})", mode="eval").body
    return path, {
        word.arg: ast.unparse(word.value) if isinstance(word.value, ast.Name) else ast.literal_eval(word.value) for word in call.keywords
    }


class Contract(unittest.TestCase):
    def check(self, path, function, arguments):
        parameters = inspect.signature(function).parameters
        for name, default in arguments.items():
            self.assertIn(name, parameters, f"{path} lacks {name}")
            own = parameters[name].default
            if default == "REQUIRED":
                self.assertIs(own, inspect.Parameter.empty, f"{path}: {name} has the default {own!r}")
            else:
                self.assertEqual("NOT_GIVEN" if repr(own) == "NOT_GIVEN" else own, default, f"{path}: {name}")
        others = [one for name, one in parameters.items() if name not in arguments]
        demanded = [one.name for one in others if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
        self.assertEqual([one for one in demanded if one != "self"], [], f"{path} demands more")

    def test_methods_have_the_arguments_and_defaults_for_both_clients(self):
        clients = (Client(base_url="http://127.0.0.1:1"), AsyncClient(base_url="http://127.0.0.1:1"))
        for line in METHODS.strip().splitlines():
            path, arguments = parse(line)
            for client in clients:
                found = client
                for name in path.split("."):
                    found = getattr(found, name)
                self.check(path, found, arguments)

    def test_functions_and_classes_have_the_arguments_and_defaults(self):
        for line in FUNCTIONS.strip().splitlines():
            path, arguments = parse(line)
            module, _, names = path.rpartition(":")
            found = importlib.import_module(f"spandrel_client.{module}".rstrip("."))
            for name in names.split("."):
                found = getattr(found, name)
            if isinstance(found, type):
                found = found.__init__
            self.check(path, found, arguments)

    def test_methods_have_result_types(self):
        # A frame is of the library that the caller chooses.
        frames = {"Spans.get_spans_dataframe"}
        for resource in (Projects, Spans, Traces, Sessions, Datasets, DatasetLabels, Prompts, PromptTags, Experiments, AnnotationConfigs):
            for name, member in inspect.getmembers(resource):
                if isinstance(member, (operation, listing)) and f"{resource.__name__}.{name}" not in frames:
                    self.assertNotRegex(str(member.function.__annotations__["return"]), r"^(?:Steps|Listing|List)\[(?:Any|dict)|\[Any\]", name)

    def test_names_are_there_and_what_is_missing_is_listed(self):
        for module, names in NAMES.items():
            found = importlib.import_module(f"spandrel_client.{module}")
            self.assertEqual([name for name in names.split() if not hasattr(found, name)], [], module)
        coverage = (pathlib.Path(__file__).parent.parent / "COVERAGE.md").read_text()
        for what in LISTED:
            self.assertIn(f"| {what} |", coverage)


if __name__ == "__main__":
    unittest.main()
