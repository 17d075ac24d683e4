from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, List

from ..datasets.dataset import Dataset
from ..datasets.frame_arrow import arrow_chunks
from ..datasets.upload import (
    BUCKETS,
    Columns,
    Form,
    arrays_of,
    choose_columns,
    csv_headers,
    example_lines,
    file_chunks,
    frame_headers,
    frame_lines,
)
from ..exceptions import DatasetUploadError, StatusError
from ..limits import UPLOAD_READ_SECONDS
from ..transport.calls import Call, Steps, Timeout, part
from ..types import NOT_GIVEN, NotGiven
from ..types.results import DatasetVersion
from .base import Listing, M, changes, listing, operation
from .dataset_files import DatasetFiles
from .dataset_labels import DatasetLabels
from .dataset_reference import id_of, is_dataset_id
from .dataset_spans import DatasetSpans
from .dataset_splits import DatasetSplits

if TYPE_CHECKING:
    from ..generated import api

# Lists longer than this are streamed as a file, like generators.
_JSON_EXAMPLES_MAX = 2_000


class Datasets(DatasetFiles[M], DatasetSpans[M], DatasetSplits[M]):
    """Datasets: named, versioned sets of examples."""

    @property
    def labels(self) -> DatasetLabels[M]:
        return DatasetLabels(self._driver)

    @operation
    def get_dataset(
        self,
        *,
        dataset: Any,
        version_id: str | None = None,
        splits: Sequence[str] | None = None,
        timeout: Timeout = 5,
    ) -> Steps[Dataset]:
        """A dataset with the examples of a version, by id, name, Dataset or dict. ValueError if there is none."""
        dataset_id, name = yield from self._resolve(dataset, timeout)
        info, found = yield from self._read(dataset_id, version_id, splits, timeout)
        handle = self._handle(dataset_id, name, version_id)
        handle._take(info, found)
        return handle

    @operation
    def get_dataset_versions(self, *, dataset: Any, limit: int | None = 100, timeout: Timeout = 5) -> Steps[List[DatasetVersion]]:
        """Versions of a dataset, newest first, with `created_at` as a datetime."""
        dataset_id, _ = yield from self._resolve(dataset, timeout)
        return (yield from self.versions.steps(dataset_id=dataset_id, limit=limit, timeout=timeout))

    @listing
    def versions(self, *, dataset_id: str, limit: int | None = None, timeout: Timeout = 5) -> Listing[DatasetVersion]:
        """Versions of a dataset by its id, newest first."""
        call = Call("GET", f"/v1/datasets/{part(dataset_id)}/versions", timeout=timeout)
        return Listing(call, limit=limit, convert=_version)

    @listing
    def list(self, *, limit: int | None = None, timeout: Timeout = 5) -> Listing[api.Dataset]:
        """All datasets, newest first."""
        return Listing(Call("GET", "/v1/datasets", timeout=timeout), limit=limit)

    @operation
    def create_dataset(
        self,
        *,
        name: str,
        examples: Any = None,
        dataframe: Any = None,
        csv_file_path: Any = None,
        input_keys: Iterable[str] = (),
        output_keys: Iterable[str] = (),
        metadata_keys: Iterable[str] = (),
        split_keys: Iterable[str] = (),
        split_key: str | None = None,
        span_id_key: str | None = None,
        example_id_key: str | None = None,
        inputs: Iterable[Mapping[str, Any]] = (),
        outputs: Iterable[Mapping[str, Any]] = (),
        metadata: Iterable[Mapping[str, Any]] = (),
        dataset_description: str | None = None,
        timeout: Timeout = 5,
    ) -> Steps[Dataset]:
        """Creates a dataset, or makes an existing one equal to the examples. Returns a handle; nothing is read back.

        Expects one of: `examples` (a list, or a generator, which is streamed), `dataframe`, `csv_file_path`, or
        `inputs` with `outputs` and `metadata`.
        """
        columns = _columns(input_keys, output_keys, metadata_keys, split_keys, split_key, span_id_key, example_id_key)
        source = (examples, dataframe, csv_file_path, [*inputs], [*outputs], [*metadata])
        return (yield from self._upload("update", name, source, columns, dataset_description, timeout))

    @operation
    def add_examples_to_dataset(
        self,
        *,
        dataset: Any,
        examples: Any = None,
        dataframe: Any = None,
        csv_file_path: Any = None,
        input_keys: Iterable[str] = (),
        output_keys: Iterable[str] = (),
        metadata_keys: Iterable[str] = (),
        split_keys: Iterable[str] = (),
        split_key: str | None = None,
        span_id_key: str | None = None,
        example_id_key: str | None = None,
        inputs: Iterable[Mapping[str, Any]] = (),
        outputs: Iterable[Mapping[str, Any]] = (),
        metadata: Iterable[Mapping[str, Any]] = (),
        timeout: Timeout = 5,
    ) -> Steps[Dataset]:
        """Adds examples to a dataset. The arguments are those of `create_dataset`."""
        columns = _columns(input_keys, output_keys, metadata_keys, split_keys, split_key, span_id_key, example_id_key)
        source = (examples, dataframe, csv_file_path, [*inputs], [*outputs], [*metadata])
        name = dataset.name if isinstance(dataset, Dataset) and dataset._name else None
        name = name or (dataset.get("name") if isinstance(dataset, Mapping) else None)
        if name is None and isinstance(dataset, str) and not is_dataset_id(dataset):
            name = dataset
        if name is None:
            dataset_id = dataset if isinstance(dataset, str) else id_of(dataset)
            info = yield from self._data(Call("GET", f"/v1/datasets/{part(dataset_id)}", timeout=timeout))
            name = info["name"]
        return (yield from self._upload("append", name, source, columns, None, timeout))

    @operation
    def delete(self, *, dataset: Any, timeout: Timeout = 5) -> Steps[None]:
        """Deletes a dataset with its versions and experiments."""
        dataset_id, _ = yield from self._resolve(dataset, timeout)
        yield from self._transport.send(Call("DELETE", f"/v1/datasets/{part(dataset_id)}", timeout=timeout))

    @operation
    def update(
        self,
        *,
        dataset: Any,
        name: str | None = None,
        description: str | None | NotGiven = NOT_GIVEN,
        metadata: Mapping[str, Any] | None = None,
        timeout: Timeout = 5,
    ) -> Steps[api.Dataset]:
        """Replaces name, description and metadata of a dataset; a description of None clears it."""
        body = changes({"name": name, "metadata": metadata}, {"description": description})
        dataset_id, _ = yield from self._resolve(dataset, timeout)
        call = Call("PATCH", f"/v1/datasets/{part(dataset_id)}", json=body, timeout=timeout, is_repeatable=True)
        return (yield from self._data(call))

    @listing
    def get_changes(
        self, *, dataset: Any, base_version_id: str, version_id: str | None = None, timeout: Timeout = 5
    ) -> Steps[Listing[api.ExampleChange]]:
        """Examples that differ between two versions, with their content `before` and `after`. The default is the latest version."""
        dataset_id, _ = yield from self._resolve(dataset, timeout)
        params = {"base_version_id": base_version_id, "version_id": version_id}
        return Listing(Call("GET", f"/v1/datasets/{part(dataset_id)}/changes", params=params, timeout=timeout))

    def _upload(
        self, action: str, name: str, source: tuple[Any, ...], columns: Columns, description: str | None, timeout: Timeout
    ) -> Steps[Dataset]:
        if not isinstance(name, str) or not name.strip():
            raise ValueError("the name of the dataset is blank")
        form, body = _prepare(name, source, columns, description)
        ids = "example_ids" in (body or {}) or columns.example_id or columns.split
        if ids:
            yield from self._transport.require("ids and splits of examples", "15.0.0")
        # Checking and storing take as long as the data is big; the timeout of the caller is that of a page.
        slow = timeout if timeout is None or not isinstance(timeout, (int, float)) else max(timeout, UPLOAD_READ_SECONDS)
        try:
            told = yield from self._send_upload(action, form, body, slow)
        except StatusError as error:
            if error.status == 422 and "Invalid dat" in error.detail and "action" in error.detail and action == "update":
                # Servers of another make before 15.0 know `create` only.
                told = yield from self._send_upload("create", form, body, slow)
            else:
                raise DatasetUploadError(f"the upload to the dataset {name!r} failed: {error}", error.detail) from None
        finally:
            if form:
                form.close()
        return self._handle(told["dataset_id"], name, told["version_id"], upload=told)

    def _send_upload(self, action: str, form: Form | None, body: Any, timeout: Timeout) -> Steps[Any]:
        call = Call(
            "POST",
            "/v1/datasets/upload",
            params={"sync": True},
            json=None if body is None else {"action": action, **body},
            timeout=timeout,
            creates=True,
        )
        if form is None:
            return (yield from self._data(call))
        form.set_action(action)
        return (yield from self._data(_with_form(call, form)))

    def _handle(
        self, dataset_id: str, name: str | None, version_id: str | None, upload: Mapping[str, Any] | None = None
    ) -> Dataset:
        driver = self._driver
        url = driver.transport.base_url

        def load() -> Any:
            return driver.run(self._read(dataset_id, version_id, None, 60))

        url = url if url.endswith("/") else f"{url}/"
        return Dataset(id=dataset_id, name=name, version_id=version_id, load=load, is_async=driver.is_async, upload=upload, base_url=url)

    def _read(
        self, dataset_id: str, version_id: str | None, splits: Sequence[str] | None, timeout: Timeout
    ) -> Steps[tuple[Any, Any]]:
        info = yield from self._data(Call("GET", f"/v1/datasets/{part(dataset_id)}", timeout=timeout))
        params = {"version_id": version_id, "split": splits}
        found = yield from self._data(
            Call("GET", f"/v1/datasets/{part(dataset_id)}/examples", params=params, timeout=timeout)
        )
        return info, found


def _columns(
    input_keys: Iterable[str],
    output_keys: Iterable[str],
    metadata_keys: Iterable[str],
    split_keys: Iterable[str],
    split_key: str | None,
    span_id_key: str | None,
    example_id_key: str | None,
) -> Columns:
    columns = Columns(
        tuple(input_keys), tuple(output_keys), tuple(metadata_keys), tuple(split_keys), split_key, span_id_key, example_id_key
    )
    if columns.splits and columns.split:
        raise ValueError("expected split_key or split_keys, got both")
    return columns


def _prepare(
    name: str, source: tuple[Any, ...], columns: Columns, description: str | None
) -> tuple[Form | None, dict[str, Any] | None]:
    """The form or the JSON body of an upload. ValueError unless there is one source."""
    examples, dataframe, csv_file_path, inputs, outputs, metadata = source
    arrays = bool(inputs or outputs or metadata)
    if sum((examples is not None, dataframe is not None, csv_file_path is not None, arrays)) != 1:
        raise ValueError("expected exactly one of: examples; dataframe; csv_file_path; inputs with outputs and metadata")
    fields = [("name", name), ("description", description or "")]
    if dataframe is not None:
        chosen = choose_columns(frame_headers(dataframe), columns)
        arrow = arrow_chunks(dataframe, chosen)
        if arrow is not None:
            return Form(fields, chosen, "dataframe.arrow", "application/x-pandas-pyarrow", arrow), None
        return Form(fields, chosen, "dataframe.jsonl", "application/jsonl", frame_lines(dataframe, chosen)), None
    if csv_file_path is not None:
        chosen = choose_columns(csv_headers(csv_file_path), columns)
        return Form(fields, chosen, os.path.basename(csv_file_path), "text/csv", file_chunks(csv_file_path)), None
    if arrays:
        examples = _zip_arrays(inputs, outputs, metadata)
    elif isinstance(examples, Mapping):
        examples = [examples]
    if isinstance(examples, Sequence) and len(examples) <= _JSON_EXAMPLES_MAX:
        if not examples:
            raise ValueError("there are no examples; expected at least one")
        body = {"name": name, **({"description": description} if description else {}), **arrays_of(examples)}
        return None, body
    chosen = Columns(
        input=("input",),
        output=("output",),
        metadata=("metadata",),
        split="splits",
        span_id="span_id",
        example_id="example_id",
        flatten=BUCKETS,
    )
    return Form(fields, chosen, "examples.jsonl", "application/jsonl", example_lines(examples)), None


def _zip_arrays(inputs: Sequence[Any], outputs: Sequence[Any], metadata: Sequence[Any]) -> list[dict[str, Any]]:
    if not inputs:
        raise ValueError("inputs is empty; expected at least one")
    for what, values in (("outputs", outputs), ("metadata", metadata)):
        if values and len(values) != len(inputs):
            raise ValueError(f"{what} has {len(values)} elements and inputs {len(inputs)}; expected as many")
    return [
        {"input": one, "output": outputs[number] if outputs else {}, "metadata": metadata[number] if metadata else {}}
        for number, one in enumerate(inputs)
    ]


def _with_form(call: Call, form: Form) -> Call:
    from dataclasses import replace

    return replace(call, content=form.open, headers=form.headers)


def _version(version: Any) -> DatasetVersion:
    created = version.get("created_at")
    found: Any = {**version, "created_at": datetime.fromisoformat(created.replace("Z", "+00:00"))} if created else version
    return found
