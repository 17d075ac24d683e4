# Made by scripts/generate-client-types.mjs from the OpenAPI document of the server.

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

class AnnotationConfig_ValuesItem(TypedDict):
    label: str
    score: Union[float, None]

class AnnotationConfig_(TypedDict):
    type: Literal["CATEGORICAL"]
    name: str
    description: Union[str, None]
    # Global ID. Its type depends on the type of the config.
    id: str
    optimization_direction: Literal["MINIMIZE", "MAXIMIZE", "NONE"]
    values: List[AnnotationConfig_ValuesItem]

class AnnotationConfig2(TypedDict):
    type: Literal["CONTINUOUS"]
    name: str
    description: Union[str, None]
    # Global ID. Its type depends on the type of the config.
    id: str
    optimization_direction: Literal["MINIMIZE", "MAXIMIZE", "NONE"]
    lower_bound: Union[float, None]
    upper_bound: Union[float, None]

class AnnotationConfig3(TypedDict):
    type: Literal["FREEFORM"]
    name: str
    description: Union[str, None]
    # Global ID. Its type depends on the type of the config.
    id: str
    optimization_direction: Union[Literal["MINIMIZE", "MAXIMIZE", "NONE"], None]
    threshold: Union[float, None]
    lower_bound: Union[float, None]
    upper_bound: Union[float, None]

AnnotationConfig = Union["AnnotationConfig_", "AnnotationConfig2", "AnnotationConfig3"]

class AnthropicParametersOutputConfig(TypedDict, total=False):
    effort: Literal["low", "medium", "high", "xhigh", "max"]

class AnthropicParametersThinking(TypedDict):
    type: Literal["disabled"]

class _AnthropicParametersThinking2Required(TypedDict):
    type: Literal["enabled"]
    budget_tokens: int

class AnthropicParametersThinking2(_AnthropicParametersThinking2Required, total=False):
    display: Literal["summarized", "omitted"]

class _AnthropicParametersThinking3Required(TypedDict):
    type: Literal["adaptive"]

class AnthropicParametersThinking3(_AnthropicParametersThinking3Required, total=False):
    display: Literal["summarized", "omitted"]

class _AnthropicParametersRequired(TypedDict):
    max_tokens: int

class AnthropicParameters(_AnthropicParametersRequired, total=False):
    temperature: float
    top_p: float
    stop_sequences: List[str]
    output_config: AnthropicParametersOutputConfig
    thinking: Union[AnthropicParametersThinking, AnthropicParametersThinking2, AnthropicParametersThinking3]
    # Further fields of the vendor.
    extra_body: Dict[str, Any]

class AnyValueArrayValue(TypedDict):
    values: List[Any]

class AnyValue(TypedDict):
    """One field is set, and all others are null."""

    array_value: Union[AnyValueArrayValue, None]
    bool_value: Union[bool, None]
    bytes_value: Union[str, None]
    double_value: Union[float, None]
    int_value: Union[int, None]
    kvlist_value: None
    string_value: Union[str, None]

class _ApiKeyRequired(TypedDict):
    # Global ID.
    id: str
    name: str
    created_at: str
    # The last four characters of the key.
    last_characters: str
    # ALL: as the owner. READ: only reads. SEND: only sends spans. SCIM: only provisions users; for system keys.
    scope: Literal["ALL", "READ", "SEND", "SCIM"]

class ApiKey(_ApiKeyRequired, total=False):
    description: str
    expires_at: str
    last_used_at: str
    # Names of the only projects that the key reaches. Absent: all of its owner.
    projects: List[str]

class ApiKeyOfUserUser(TypedDict):
    id: str
    username: str
    email: Union[str, None]

class _ApiKeyOfUserRequired(TypedDict):
    # Global ID.
    id: str
    name: str
    created_at: str
    # The last four characters of the key.
    last_characters: str
    # ALL: as the owner. READ: only reads. SEND: only sends spans. SCIM: only provisions users; for system keys.
    scope: Literal["ALL", "READ", "SEND", "SCIM"]
    user: ApiKeyOfUserUser

class ApiKeyOfUser(_ApiKeyOfUserRequired, total=False):
    description: str
    expires_at: str
    last_used_at: str
    # Names of the only projects that the key reaches. Absent: all of its owner.
    projects: List[str]

class AuditEntryTarget(TypedDict):
    kind: str
    id: Union[str, None]
    name: Union[str, None]

class AuditEntry(TypedDict):
    # Global ID.
    id: str
    happened_at: str
    username: Union[str, None]
    user_id: Union[str, None]
    credential: str
    remote_address: Union[str, None]
    action: str
    outcome: Literal["DONE", "DENIED"]
    target: AuditEntryTarget
    before: Union[Dict[str, Any], None]
    after: Union[Dict[str, Any], None]

class AwsParameters(TypedDict, total=False):
    max_tokens: int
    temperature: float
    top_p: float
    stop_sequences: List[str]

class ChatCompletionErrorError(TypedDict):
    message: str
    type: Literal["invalid_request_error", "api_error"]
    param: None
    code: Union[str, None]

class ChatCompletionError(TypedDict):
    error: ChatCompletionErrorError

class CostRecomputation(TypedDict):
    id: str
    project_id: Union[str, None]
    # 0 to 1.
    progress: float
    created_at: str
    ended_at: Union[str, None]

class _CreatedApiKeyRequired(TypedDict):
    # Global ID.
    id: str
    name: str
    created_at: str
    # The last four characters of the key.
    last_characters: str
    # ALL: as the owner. READ: only reads. SEND: only sends spans. SCIM: only provisions users; for system keys.
    scope: Literal["ALL", "READ", "SEND", "SCIM"]
    # The key, which is shown only now.
    key: str

class CreatedApiKey(_CreatedApiKeyRequired, total=False):
    description: str
    expires_at: str
    last_used_at: str
    # Names of the only projects that the key reaches. Absent: all of its owner.
    projects: List[str]

class Dataset(TypedDict):
    # Global ID.
    id: str
    name: str
    description: Union[str, None]
    metadata: Dict[str, Any]
    created_at: str
    updated_at: str
    # Number of examples in the latest version.
    example_count: int

class DatasetExampleSource(TypedDict):
    span_id: str
    # Global ID.
    span_node_id: str

class DatasetExample(TypedDict):
    # The external ID of the example if it has one, else its global ID.
    id: str
    # Global ID.
    node_id: str
    input: Dict[str, Any]
    output: Dict[str, Any]
    metadata: Dict[str, Any]
    # Time at which this content was stored.
    updated_at: str
    # The span from which the example was created. Null if there is none, or if it was deleted.
    source: Union[DatasetExampleSource, None]

class DatasetExamples(TypedDict):
    dataset_id: str
    version_id: str
    # Names of the requested splits.
    filtered_splits: List[str]
    examples: List[DatasetExample]

class DatasetFileUploadRejectedRowsItem(TypedDict):
    # Line on which the row starts, from 1. For Parquet, the number of the row.
    line: int
    reason: str
    # The row, cut to a limit.
    text: str

class DatasetFileUpload(TypedDict):
    # Null if nothing was stored.
    stored: Union[StoredUpload, None]
    plan: UploadPlan
    # Rows that are not examples.
    rejected_count: int
    rejected_rows: List[DatasetFileUploadRejectedRowsItem]

class DatasetLabel(TypedDict):
    # Global ID.
    id: str
    name: str
    description: Union[str, None]
    # `#rrggbb` in lower case.
    color: str

class _DatasetSpansRequired(TypedDict):
    # Name of the dataset. It is created if it does not exist.
    name: str
    # Name or global ID.
    project: str

class DatasetSpans(_DatasetSpansRequired, total=False):
    action: Literal["create", "append", "update"]
    # Used when the upload creates the dataset.
    description: str
    # A span filter. Default: all spans of the project.
    filter: str

class DatasetSplit(TypedDict):
    # Global ID.
    id: str
    name: str
    description: Union[str, None]
    color: str
    metadata: Dict[str, Any]
    # Number of examples of this dataset.
    example_count: int
    created_at: str
    updated_at: str

class DatasetUpload(TypedDict):
    # Global ID.
    dataset_id: str
    # Global ID of the version that the upload created, or of the latest version if nothing changed.
    version_id: str
    num_created_examples: int
    # Examples whose content or splits changed.
    num_updated_examples: int
    num_deleted_examples: int

class DatasetUploadState(TypedDict):
    phase: Literal["receiving", "reading", "writing", "stored", "planned", "failed"]
    # Rows read so far.
    row_count: int
    # Why it failed. Then nothing is stored.
    problem: Union[str, None]
    stored: Union[StoredUpload, None]

class DatasetVersion(TypedDict):
    # Global ID.
    version_id: str
    description: Union[str, None]
    metadata: Dict[str, Any]
    created_at: str

class ExampleChange(TypedDict):
    id: str
    node_id: str
    change: Literal["added", "revised", "removed"]
    before: Union[ExampleContent, None]
    after: Union[ExampleContent, None]

class ExampleContent(TypedDict):
    input: Dict[str, Any]
    output: Dict[str, Any]
    metadata: Dict[str, Any]

class Experiment(TypedDict):
    # Global ID.
    id: str
    dataset_id: str
    dataset_version_id: str
    name: str
    description: Union[str, None]
    repetitions: int
    metadata: Dict[str, Any]
    project_name: Union[str, None]
    created_at: str
    updated_at: str
    # Number of examples that the experiment uses.
    example_count: int
    successful_run_count: int
    failed_run_count: int
    missing_run_count: int

class ExperimentRun(TypedDict):
    # Global ID.
    id: str
    experiment_id: str
    # Global ID of an example of the experiment.
    dataset_example_id: str
    # Output of the task. Null is allowed.
    output: Any
    # Number of the repetition, from 1.
    repetition_number: int
    start_time: str
    end_time: str
    trace_id: Union[str, None]
    error: Union[str, None]

class ExperimentTag(TypedDict):
    # Global ID.
    id: str
    name: str
    description: Union[str, None]

class GoogleParametersThinkingConfig(TypedDict, total=False):
    thinking_budget: int
    thinking_level: Literal["minimal", "low", "medium", "high"]
    include_thoughts: bool

class GoogleParameters(TypedDict, total=False):
    temperature: float
    max_output_tokens: int
    stop_sequences: List[str]
    presence_penalty: float
    frequency_penalty: float
    top_p: float
    top_k: int
    thinking_config: GoogleParametersThinkingConfig

class ImportedSpansRefusalsItem(TypedDict):
    # Number of the line, from 1. For Parquet, of the row.
    line: int
    reason: str

class ImportedSpans(TypedDict):
    received_span_count: int
    stored_span_count: int
    # Spans that are already stored, in any project, or occur twice in the file.
    repeated_span_count: int
    refused_span_count: int
    # Added annotations.
    annotation_count: int
    # The first rejected lines or rows.
    refusals: List[ImportedSpansRefusalsItem]

class IncompleteEvaluation(TypedDict):
    experiment_run: ExperimentRun
    dataset_example: DatasetExample
    evaluation_names: List[str]

class IncompleteRun(TypedDict):
    dataset_example: DatasetExample
    repetition_numbers: List[int]

class ItemResultData(TypedDict):
    # Global ID.
    id: str

class _ItemResultRequired(TypedDict):
    # Status that a request with this item alone would get.
    status: int

class ItemResult(_ItemResultRequired, total=False):
    data: ItemResultData
    # Code of the error.
    code: str
    # Text of the error, or the list of issues of the item.
    detail: Any

class _NewAnnotationConfig_ValuesItemRequired(TypedDict):
    label: str

class NewAnnotationConfig_ValuesItem(_NewAnnotationConfig_ValuesItemRequired, total=False):
    score: Union[float, None]

class _NewAnnotationConfig_Required(TypedDict):
    type: Literal["CATEGORICAL"]
    name: str
    optimization_direction: Literal["MINIMIZE", "MAXIMIZE", "NONE"]
    values: List[NewAnnotationConfig_ValuesItem]

class NewAnnotationConfig_(_NewAnnotationConfig_Required, total=False):
    description: Union[str, None]

class _NewAnnotationConfig2Required(TypedDict):
    type: Literal["CONTINUOUS"]
    name: str
    optimization_direction: Literal["MINIMIZE", "MAXIMIZE", "NONE"]

class NewAnnotationConfig2(_NewAnnotationConfig2Required, total=False):
    description: Union[str, None]
    lower_bound: Union[float, None]
    upper_bound: Union[float, None]

class _NewAnnotationConfig3Required(TypedDict):
    type: Literal["FREEFORM"]
    name: str

class NewAnnotationConfig3(_NewAnnotationConfig3Required, total=False):
    description: Union[str, None]
    optimization_direction: Union[Literal["MINIMIZE", "MAXIMIZE", "NONE"], None]
    threshold: Union[float, None]
    lower_bound: Union[float, None]
    upper_bound: Union[float, None]

NewAnnotationConfig = Union["NewAnnotationConfig_", "NewAnnotationConfig2", "NewAnnotationConfig3"]

class _NewDatasetRequired(TypedDict):
    name: str
    inputs: List[Dict[str, Any]]

class NewDataset(_NewDatasetRequired, total=False):
    action: Literal["create", "append", "update"]
    # Used when the upload creates the dataset.
    description: str
    outputs: List[Dict[str, Any]]
    metadata: List[Dict[str, Any]]
    # Names, lists of names, or null.
    splits: List[Union[str, None]]
    span_ids: List[Union[str, None]]
    example_ids: List[Union[str, None]]

class NewSpanContext(TypedDict):
    trace_id: str
    span_id: str

class _NewSpanEventsItemRequired(TypedDict):
    name: str
    timestamp: str

class NewSpanEventsItem(_NewSpanEventsItemRequired, total=False):
    attributes: Dict[str, Any]

class _NewSpanRequired(TypedDict):
    name: str
    context: NewSpanContext
    # A span kind of OpenInference. Any other text stays in the attributes.
    span_kind: str
    # With an offset or `Z`.
    start_time: str
    # With an offset or `Z`.
    end_time: str
    # `OK`, `ERROR` or `UNSET`.
    status_code: str

class NewSpan(_NewSpanRequired, total=False):
    parent_id: Union[str, None]
    status_message: str
    # Dotted keys, nested objects, or both.
    attributes: Dict[str, Any]
    events: List[NewSpanEventsItem]

class OpenAIParameters(TypedDict, total=False):
    temperature: float
    max_tokens: int
    max_completion_tokens: int
    frequency_penalty: float
    presence_penalty: float
    top_p: float
    seed: int
    stop: List[str]
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"]
    # Further fields of the vendor.
    extra_body: Dict[str, Any]

class OtlpSpanAttributesItem(TypedDict):
    key: str
    value: AnyValue

class OtlpSpanEventsItemAttributesItem(TypedDict):
    key: str
    value: AnyValue

class OtlpSpanEventsItem(TypedDict):
    name: str
    attributes: List[OtlpSpanEventsItemAttributesItem]
    time_unix_nano: Union[int, None]
    dropped_attributes_count: None

class OtlpSpanStatus(TypedDict):
    code: int
    message: Union[str, None]

class OtlpSpan(TypedDict):
    attributes: List[OtlpSpanAttributesItem]
    dropped_attributes_count: None
    dropped_events_count: None
    dropped_links_count: None
    # Exceeds 2^53, so a parser must read it exactly.
    start_time_unix_nano: int
    end_time_unix_nano: int
    events: Union[List[OtlpSpanEventsItem], None]
    flags: None
    links: None
    trace_state: None
    kind: Literal["SPAN_KIND_INTERNAL"]
    name: str
    trace_id: str
    span_id: str
    parent_span_id: Union[str, None]
    status: OtlpSpanStatus

class ParquetPreviewColumnsItem(TypedDict):
    name: str
    type: str

class ParquetPreview(TypedDict):
    columns: List[ParquetPreviewColumnsItem]
    row_count: int
    # The first rows as texts of JSON objects. Null if they are in the bytes that were not sent.
    rows: Union[List[str], None]

class Project(TypedDict):
    name: str
    description: Union[str, None]
    # Global ID.
    id: str

class ProjectAccess(TypedDict):
    # Whether only members and administrators find the project.
    is_private: bool
    # False while sign-in is off. Then a private project is open.
    is_enforced: bool
    # READER: reads. EDITOR: also writes. OWNER: also manages the access.
    level: Literal["READER", "EDITOR", "OWNER"]
    members: List[ProjectMember]

class ProjectMemberUser(TypedDict):
    id: str
    username: str
    email: Union[str, None]

class ProjectMember(TypedDict):
    user: Union[ProjectMemberUser, None]
    group: Union[str, None]
    # READER: reads. EDITOR: also writes. OWNER: also manages the access.
    level: Literal["READER", "EDITOR", "OWNER"]

class Prompt(TypedDict):
    name: str
    description: Union[str, None]
    # The prompt from which this one was cloned.
    source_prompt_id: Union[str, None]
    metadata: Dict[str, Any]
    # Global ID.
    id: str

class PromptDifference(TypedDict):
    # Path such as `template.messages[0].content`.
    path: str
    kind: Literal["ADDED", "REMOVED", "CHANGED"]
    # Null if the field did not exist.
    before: Any
    # Null if the field does not exist.
    after: Any

class PromptVersionTemplateMessagesItemContent2Item(TypedDict):
    type: Literal["text"]
    text: str

class PromptVersionTemplateMessagesItemContent2Item2ToolCall(TypedDict):
    type: Literal["function"]
    name: str
    # JSON text.
    arguments: str

class PromptVersionTemplateMessagesItemContent2Item2(TypedDict):
    type: Literal["tool_call"]
    tool_call_id: str
    tool_call: PromptVersionTemplateMessagesItemContent2Item2ToolCall

class PromptVersionTemplateMessagesItemContent2Item3(TypedDict):
    type: Literal["tool_result"]
    tool_call_id: str
    tool_result: Any

class PromptVersionTemplateMessagesItemContent2Item4Image(TypedDict):
    # A URL, which may be a `data:` URL.
    url: str

class PromptVersionTemplateMessagesItemContent2Item4(TypedDict):
    type: Literal["image"]
    image: PromptVersionTemplateMessagesItemContent2Item4Image

class PromptVersionTemplateMessagesItem(TypedDict):
    role: Literal["user", "assistant", "model", "ai", "tool", "system", "developer"]
    content: Union[str, List[Union[PromptVersionTemplateMessagesItemContent2Item, PromptVersionTemplateMessagesItemContent2Item2, PromptVersionTemplateMessagesItemContent2Item3, PromptVersionTemplateMessagesItemContent2Item4]]]

class PromptVersionTemplate(TypedDict):
    type: Literal["chat"]
    messages: List[PromptVersionTemplateMessagesItem]

class PromptVersionTemplate2(TypedDict):
    type: Literal["string"]
    template: str

class PromptVersionInvocationParameters(TypedDict):
    type: Literal["openai"]
    openai: OpenAIParameters

class PromptVersionInvocationParameters2(TypedDict):
    type: Literal["azure_openai"]
    azure_openai: OpenAIParameters

class PromptVersionInvocationParameters3(TypedDict):
    type: Literal["deepseek"]
    deepseek: OpenAIParameters

class PromptVersionInvocationParameters4(TypedDict):
    type: Literal["xai"]
    xai: OpenAIParameters

class PromptVersionInvocationParameters5(TypedDict):
    type: Literal["ollama"]
    ollama: OpenAIParameters

class PromptVersionInvocationParameters6(TypedDict):
    type: Literal["cerebras"]
    cerebras: OpenAIParameters

class PromptVersionInvocationParameters7(TypedDict):
    type: Literal["fireworks"]
    fireworks: OpenAIParameters

class PromptVersionInvocationParameters8(TypedDict):
    type: Literal["groq"]
    groq: OpenAIParameters

class PromptVersionInvocationParameters9(TypedDict):
    type: Literal["moonshot"]
    moonshot: OpenAIParameters

class PromptVersionInvocationParameters10(TypedDict):
    type: Literal["perplexity"]
    perplexity: OpenAIParameters

class PromptVersionInvocationParameters11(TypedDict):
    type: Literal["together"]
    together: OpenAIParameters

class PromptVersionInvocationParameters12(TypedDict):
    type: Literal["anthropic"]
    anthropic: AnthropicParameters

class PromptVersionInvocationParameters13(TypedDict):
    type: Literal["google"]
    google: GoogleParameters

class PromptVersionInvocationParameters14(TypedDict):
    type: Literal["aws"]
    aws: AwsParameters

class _PromptVersionToolsToolsItemFunctionRequired(TypedDict):
    name: str

class PromptVersionToolsToolsItemFunction(_PromptVersionToolsToolsItemFunctionRequired, total=False):
    description: str
    # JSON schema.
    parameters: Dict[str, Any]
    strict: bool

class PromptVersionToolsToolsItem(TypedDict):
    type: Literal["function"]
    function: PromptVersionToolsToolsItemFunction

class PromptVersionToolsToolsItem2(TypedDict):
    type: Literal["raw"]
    # A tool of a vendor-specific kind.
    raw: Dict[str, Any]

class PromptVersionToolsToolChoice(TypedDict):
    type: Literal["none"]

class PromptVersionToolsToolChoice2(TypedDict):
    type: Literal["zero_or_more"]

class PromptVersionToolsToolChoice3(TypedDict):
    type: Literal["one_or_more"]

class PromptVersionToolsToolChoice4(TypedDict):
    type: Literal["specific_function"]
    function_name: str

class _PromptVersionToolsRequired(TypedDict):
    type: Literal["tools"]
    tools: List[Union[PromptVersionToolsToolsItem, PromptVersionToolsToolsItem2]]

class PromptVersionTools(_PromptVersionToolsRequired, total=False):
    tool_choice: Union[PromptVersionToolsToolChoice, PromptVersionToolsToolChoice2, PromptVersionToolsToolChoice3, PromptVersionToolsToolChoice4]
    disable_parallel_tool_calls: bool

class _PromptVersionResponseFormatJsonSchemaRequired(TypedDict):
    name: str

class PromptVersionResponseFormatJsonSchema(_PromptVersionResponseFormatJsonSchemaRequired, total=False):
    description: str
    # JSON schema.
    schema: Dict[str, Any]
    strict: bool

class PromptVersionResponseFormat(TypedDict):
    type: Literal["json_schema"]
    json_schema: PromptVersionResponseFormatJsonSchema

class _PromptVersionRequired(TypedDict):
    # Global ID.
    id: str
    description: str
    model_provider: Literal["OPENAI", "AZURE_OPENAI", "ANTHROPIC", "GOOGLE", "DEEPSEEK", "XAI", "OLLAMA", "AWS", "CEREBRAS", "FIREWORKS", "GROQ", "MOONSHOT", "PERPLEXITY", "TOGETHER"]
    model_name: str
    template: Union[PromptVersionTemplate, PromptVersionTemplate2]
    template_type: Literal["CHAT", "STR"]
    template_format: Literal["MUSTACHE", "F_STRING", "NONE"]
    invocation_parameters: Union[PromptVersionInvocationParameters, PromptVersionInvocationParameters2, PromptVersionInvocationParameters3, PromptVersionInvocationParameters4, PromptVersionInvocationParameters5, PromptVersionInvocationParameters6, PromptVersionInvocationParameters7, PromptVersionInvocationParameters8, PromptVersionInvocationParameters9, PromptVersionInvocationParameters10, PromptVersionInvocationParameters11, PromptVersionInvocationParameters12, PromptVersionInvocationParameters13, PromptVersionInvocationParameters14]

class PromptVersion(_PromptVersionRequired, total=False):
    tools: PromptVersionTools
    response_format: PromptVersionResponseFormat

class PromptVersionDataTemplateMessagesItemContent2Item(TypedDict):
    type: Literal["text"]
    text: str

class PromptVersionDataTemplateMessagesItemContent2Item2ToolCall(TypedDict):
    type: Literal["function"]
    name: str
    # JSON text.
    arguments: str

class PromptVersionDataTemplateMessagesItemContent2Item2(TypedDict):
    type: Literal["tool_call"]
    tool_call_id: str
    tool_call: PromptVersionDataTemplateMessagesItemContent2Item2ToolCall

class PromptVersionDataTemplateMessagesItemContent2Item3(TypedDict):
    type: Literal["tool_result"]
    tool_call_id: str
    tool_result: Any

class PromptVersionDataTemplateMessagesItemContent2Item4Image(TypedDict):
    # A URL, which may be a `data:` URL.
    url: str

class PromptVersionDataTemplateMessagesItemContent2Item4(TypedDict):
    type: Literal["image"]
    image: PromptVersionDataTemplateMessagesItemContent2Item4Image

class PromptVersionDataTemplateMessagesItem(TypedDict):
    role: Literal["user", "assistant", "model", "ai", "tool", "system", "developer"]
    content: Union[str, List[Union[PromptVersionDataTemplateMessagesItemContent2Item, PromptVersionDataTemplateMessagesItemContent2Item2, PromptVersionDataTemplateMessagesItemContent2Item3, PromptVersionDataTemplateMessagesItemContent2Item4]]]

class PromptVersionDataTemplate(TypedDict):
    type: Literal["chat"]
    messages: List[PromptVersionDataTemplateMessagesItem]

class PromptVersionDataTemplate2(TypedDict):
    type: Literal["string"]
    template: str

class PromptVersionDataInvocationParameters(TypedDict):
    type: Literal["openai"]
    openai: OpenAIParameters

class PromptVersionDataInvocationParameters2(TypedDict):
    type: Literal["azure_openai"]
    azure_openai: OpenAIParameters

class PromptVersionDataInvocationParameters3(TypedDict):
    type: Literal["deepseek"]
    deepseek: OpenAIParameters

class PromptVersionDataInvocationParameters4(TypedDict):
    type: Literal["xai"]
    xai: OpenAIParameters

class PromptVersionDataInvocationParameters5(TypedDict):
    type: Literal["ollama"]
    ollama: OpenAIParameters

class PromptVersionDataInvocationParameters6(TypedDict):
    type: Literal["cerebras"]
    cerebras: OpenAIParameters

class PromptVersionDataInvocationParameters7(TypedDict):
    type: Literal["fireworks"]
    fireworks: OpenAIParameters

class PromptVersionDataInvocationParameters8(TypedDict):
    type: Literal["groq"]
    groq: OpenAIParameters

class PromptVersionDataInvocationParameters9(TypedDict):
    type: Literal["moonshot"]
    moonshot: OpenAIParameters

class PromptVersionDataInvocationParameters10(TypedDict):
    type: Literal["perplexity"]
    perplexity: OpenAIParameters

class PromptVersionDataInvocationParameters11(TypedDict):
    type: Literal["together"]
    together: OpenAIParameters

class PromptVersionDataInvocationParameters12(TypedDict):
    type: Literal["anthropic"]
    anthropic: AnthropicParameters

class PromptVersionDataInvocationParameters13(TypedDict):
    type: Literal["google"]
    google: GoogleParameters

class PromptVersionDataInvocationParameters14(TypedDict):
    type: Literal["aws"]
    aws: AwsParameters

class _PromptVersionDataToolsToolsItemFunctionRequired(TypedDict):
    name: str

class PromptVersionDataToolsToolsItemFunction(_PromptVersionDataToolsToolsItemFunctionRequired, total=False):
    description: str
    # JSON schema.
    parameters: Dict[str, Any]
    strict: bool

class PromptVersionDataToolsToolsItem(TypedDict):
    type: Literal["function"]
    function: PromptVersionDataToolsToolsItemFunction

class PromptVersionDataToolsToolsItem2(TypedDict):
    type: Literal["raw"]
    # A tool of a vendor-specific kind.
    raw: Dict[str, Any]

class PromptVersionDataToolsToolChoice(TypedDict):
    type: Literal["none"]

class PromptVersionDataToolsToolChoice2(TypedDict):
    type: Literal["zero_or_more"]

class PromptVersionDataToolsToolChoice3(TypedDict):
    type: Literal["one_or_more"]

class PromptVersionDataToolsToolChoice4(TypedDict):
    type: Literal["specific_function"]
    function_name: str

class _PromptVersionDataToolsRequired(TypedDict):
    type: Literal["tools"]
    tools: List[Union[PromptVersionDataToolsToolsItem, PromptVersionDataToolsToolsItem2]]

class PromptVersionDataTools(_PromptVersionDataToolsRequired, total=False):
    tool_choice: Union[PromptVersionDataToolsToolChoice, PromptVersionDataToolsToolChoice2, PromptVersionDataToolsToolChoice3, PromptVersionDataToolsToolChoice4]
    disable_parallel_tool_calls: bool

class _PromptVersionDataResponseFormatJsonSchemaRequired(TypedDict):
    name: str

class PromptVersionDataResponseFormatJsonSchema(_PromptVersionDataResponseFormatJsonSchemaRequired, total=False):
    description: str
    # JSON schema.
    schema: Dict[str, Any]
    strict: bool

class PromptVersionDataResponseFormat(TypedDict):
    type: Literal["json_schema"]
    json_schema: PromptVersionDataResponseFormatJsonSchema

class _PromptVersionDataRequired(TypedDict):
    model_provider: Literal["OPENAI", "AZURE_OPENAI", "ANTHROPIC", "GOOGLE", "DEEPSEEK", "XAI", "OLLAMA", "AWS", "CEREBRAS", "FIREWORKS", "GROQ", "MOONSHOT", "PERPLEXITY", "TOGETHER"]
    model_name: str
    template: Union[PromptVersionDataTemplate, PromptVersionDataTemplate2]
    template_type: Literal["CHAT", "STR"]
    template_format: Literal["MUSTACHE", "F_STRING", "NONE"]
    invocation_parameters: Union[PromptVersionDataInvocationParameters, PromptVersionDataInvocationParameters2, PromptVersionDataInvocationParameters3, PromptVersionDataInvocationParameters4, PromptVersionDataInvocationParameters5, PromptVersionDataInvocationParameters6, PromptVersionDataInvocationParameters7, PromptVersionDataInvocationParameters8, PromptVersionDataInvocationParameters9, PromptVersionDataInvocationParameters10, PromptVersionDataInvocationParameters11, PromptVersionDataInvocationParameters12, PromptVersionDataInvocationParameters13, PromptVersionDataInvocationParameters14]

class PromptVersionData(_PromptVersionDataRequired, total=False):
    description: Union[str, None]
    tools: Union[PromptVersionDataTools, None]
    response_format: Union[PromptVersionDataResponseFormat, None]

class _PromptVersionTagRequired(TypedDict):
    name: str
    # Global ID.
    id: str

class PromptVersionTag(_PromptVersionTagRequired, total=False):
    description: str

class QueuedSpans(TypedDict):
    total_received: int
    total_queued: int

class RefusedSpansDuplicateSpansItem(TypedDict):
    span_id: str
    trace_id: str

class RefusedSpansInvalidSpansItem(TypedDict):
    span_id: str
    trace_id: str
    error: str

class RefusedSpans(TypedDict):
    error: str
    total_received: int
    total_queued: int
    total_duplicates: int
    total_invalid: int
    duplicate_spans: List[RefusedSpansDuplicateSpansItem]
    invalid_spans: List[RefusedSpansInvalidSpansItem]

class SampleContent(TypedDict):
    """Texts of JSON. Long ones are cut."""

    input: str
    output: str
    metadata: str

class SessionTracesItem(TypedDict):
    # Global ID.
    id: str
    trace_id: str
    start_time: str
    end_time: str

class Session(TypedDict):
    # Global ID.
    id: str
    # The session ID of the application.
    session_id: str
    project_id: str
    start_time: str
    end_time: str
    # Traces by start time.
    traces: List[SessionTracesItem]
    # Prompt tokens of its LLM spans.
    token_count_prompt: int
    token_count_completion: int
    token_count_total: int

class SessionAnnotationResult(TypedDict):
    label: Union[str, None]
    score: Union[float, None]
    explanation: Union[str, None]

class SessionAnnotation(TypedDict):
    # Global ID.
    id: str
    created_at: str
    updated_at: str
    source: Literal["API", "APP"]
    # Global ID of the author.
    user_id: Union[str, None]
    name: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    result: SessionAnnotationResult
    metadata: Dict[str, Any]
    identifier: str
    # Session ID of the application.
    session_id: str

class SpanContext(TypedDict):
    trace_id: str
    span_id: str

class SpanEventsItem(TypedDict):
    name: str
    timestamp: str
    attributes: Dict[str, Any]

class Span(TypedDict):
    # Global ID.
    id: str
    name: str
    context: SpanContext
    # The attribute `openinference.span.kind` as it was sent; else `UNKNOWN`.
    span_kind: str
    parent_id: Union[str, None]
    start_time: str
    end_time: str
    status_code: Literal["UNSET", "OK", "ERROR"]
    status_message: str
    # Flat: dotted keys.
    attributes: Dict[str, Any]
    events: List[SpanEventsItem]

class SpanAnnotationResult(TypedDict):
    label: Union[str, None]
    score: Union[float, None]
    explanation: Union[str, None]

class SpanAnnotation(TypedDict):
    # Global ID.
    id: str
    created_at: str
    updated_at: str
    source: Literal["API", "APP"]
    # Global ID of the author.
    user_id: Union[str, None]
    name: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    result: SpanAnnotationResult
    metadata: Dict[str, Any]
    identifier: str
    # Span ID of OpenTelemetry.
    span_id: str

class SpanOfTrace(TypedDict):
    # Global ID.
    id: str
    span_id: str
    parent_id: Union[str, None]
    name: str
    span_kind: Literal["UNKNOWN", "LLM", "CHAIN", "TOOL", "RETRIEVER", "EMBEDDING", "AGENT", "RERANKER", "EVALUATOR", "GUARDRAIL", "PROMPT"]
    status_code: Literal["UNSET", "OK", "ERROR"]
    start_time: str
    end_time: str

class SpanQueriesQueriesItem(TypedDict, total=False):
    select: Union[Dict[str, Any], None]
    filter: Union[Dict[str, Any], None]
    explode: Union[Dict[str, Any], None]
    concat: Union[Dict[str, Any], None]
    rename: Union[Dict[str, Any], None]
    index: Union[Dict[str, Any], None]

class _SpanQueriesRequired(TypedDict):
    # Queries. Each makes a table.
    queries: List[SpanQueriesQueriesItem]

class SpanQueries(_SpanQueriesRequired, total=False):
    start_time: Union[str, None]
    end_time: Union[str, None]
    stop_time: Union[str, None]
    # Maximum number of spans of each table. Negative for all.
    limit: int
    root_spans_only: Union[bool, None]
    orphan_span_as_root_span: Union[bool, None]
    project_name: Union[str, None]

class StoredUpload(TypedDict):
    """What the upload has stored. An example whose splits alone changed counts as updated."""

    dataset_id: str
    version_id: str
    created: int
    updated: int
    deleted: int

class Trace(TypedDict):
    # Global ID.
    id: str
    trace_id: str
    project_id: str
    start_time: str
    end_time: str
    # Prompt tokens of its LLM spans.
    token_count_prompt: int
    token_count_completion: int
    token_count_total: int
    # Spans by start time. Null unless `include_spans`.
    spans: Union[List[SpanOfTrace], None]

class TraceAnnotationResult(TypedDict):
    label: Union[str, None]
    score: Union[float, None]
    explanation: Union[str, None]

class TraceAnnotation(TypedDict):
    # Global ID.
    id: str
    created_at: str
    updated_at: str
    source: Literal["API", "APP"]
    # Global ID of the author.
    user_id: Union[str, None]
    name: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    result: TraceAnnotationResult
    metadata: Dict[str, Any]
    identifier: str
    # Trace ID of OpenTelemetry.
    trace_id: str

class UploadPlan(TypedDict):
    """What the rows of the file change, with the first examples of each kind."""

    created_count: int
    changed_count: int
    deleted_count: int
    unchanged_count: int
    created: List[UploadSample]
    changed: List[UploadSample]
    deleted: List[UploadSample]

class UploadSample(TypedDict):
    # ID that a client assigned, else the global ID. Null for a new example without an ID.
    id: Union[str, None]
    before: Union[SampleContent, None]
    after: Union[SampleContent, None]

class _UserRequired(TypedDict):
    # Global ID.
    id: str
    username: str
    # Empty for an account of a directory without emails.
    email: str
    role: Literal["SYSTEM", "ADMIN", "MEMBER", "VIEWER"]
    auth_method: Literal["LOCAL", "OAUTH2", "LDAP"]
    created_at: str
    updated_at: str

class User(_UserRequired, total=False):
    # Of a local account.
    password_needs_reset: bool
    oauth2_client_id: str
    oauth2_user_id: str
    profile_picture_url: str

class _ValidationErrorDetailItemRequired(TypedDict):
    # Type of the problem: `missing`, `int_parsing`, `string_type` …
    type: str
    # `query`, `path` or `body`, then the keys and indices that lead to the value.
    loc: List[Union[str, int]]
    msg: str
    # The received value.
    input: Any

class ValidationErrorDetailItem(_ValidationErrorDetailItemRequired, total=False):
    ctx: Dict[str, Any]

class ValidationError(TypedDict):
    detail: List[ValidationErrorDetailItem]

class GetViewerResponseData2(TypedDict):
    auth_method: Literal["ANONYMOUS"]

class GetViewerResponse(TypedDict):
    """Response of getViewer: Read the account of the caller"""

    data: Union[User, GetViewerResponseData2]

class ListUsersQuery(TypedDict, total=False):
    """Query of listUsers: List users, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListUsersResponse(TypedDict):
    """Response of listUsers: List users, newest first"""

    data: List[User]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class _CreateUserBodyUserRequired(TypedDict):
    auth_method: Literal["LOCAL"]
    email: str
    username: str
    role: Literal["SYSTEM", "ADMIN", "MEMBER", "VIEWER"]

class CreateUserBodyUser(_CreateUserBodyUserRequired, total=False):
    # Default: a random one, which the user must reset.
    password: str

class _CreateUserBodyUser2Required(TypedDict):
    auth_method: Literal["OAUTH2"]
    email: str
    username: str
    role: Literal["SYSTEM", "ADMIN", "MEMBER", "VIEWER"]

class CreateUserBodyUser2(_CreateUserBodyUser2Required, total=False):
    oauth2_client_id: str
    oauth2_user_id: str

class CreateUserBodyUser3(TypedDict):
    auth_method: Literal["LDAP"]
    email: str
    username: str
    role: Literal["SYSTEM", "ADMIN", "MEMBER", "VIEWER"]

class _CreateUserBodyRequired(TypedDict):
    user: Union[CreateUserBodyUser, CreateUserBodyUser2, CreateUserBodyUser3]

class CreateUserBody(_CreateUserBodyRequired, total=False):
    """Body of createUser: Create a user"""

    # Has no effect without a mail server.
    send_welcome_email: bool

class CreateUserResponse(TypedDict):
    """Response of createUser: Create a user"""

    data: User

class ListOwnApiKeysResponse(TypedDict):
    """Response of listOwnApiKeys: List the keys of the caller"""

    data: List[ApiKey]

class _CreateOwnApiKeyBodyDataRequired(TypedDict):
    name: str

class CreateOwnApiKeyBodyData(_CreateOwnApiKeyBodyDataRequired, total=False):
    description: Union[str, None]
    expires_at: Union[str, None]
    scope: Literal["ALL", "READ", "SEND", "SCIM"]
    projects: Union[List[str], None]

class CreateOwnApiKeyBody(TypedDict):
    """Body of createOwnApiKey: Create a key of the caller"""

    data: CreateOwnApiKeyBodyData

class CreateOwnApiKeyResponse(TypedDict):
    """Response of createOwnApiKey: Create a key of the caller"""

    data: CreatedApiKey

class ListApiKeysOfUsersQuery(TypedDict, total=False):
    """Query of listApiKeysOfUsers: List the keys of all users, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page.
    limit: int

class ListApiKeysOfUsersResponse(TypedDict):
    """Response of listApiKeysOfUsers: List the keys of all users, newest first"""

    data: List[ApiKeyOfUser]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class ListSystemApiKeysResponse(TypedDict):
    """Response of listSystemApiKeys: List system keys, newest first"""

    data: List[ApiKey]

class _CreateSystemApiKeyBodyDataRequired(TypedDict):
    name: str

class CreateSystemApiKeyBodyData(_CreateSystemApiKeyBodyDataRequired, total=False):
    description: Union[str, None]
    expires_at: Union[str, None]
    scope: Literal["ALL", "READ", "SEND", "SCIM"]
    projects: Union[List[str], None]

class CreateSystemApiKeyBody(TypedDict):
    """Body of createSystemApiKey: Create a system key"""

    data: CreateSystemApiKeyBodyData

class CreateSystemApiKeyResponse(TypedDict):
    """Response of createSystemApiKey: Create a system key"""

    data: CreatedApiKey

class ListAuditEntriesQuery(TypedDict, total=False):
    """Query of listAuditEntries: List the audit log, newest first"""

    action: Literal["sign-in", "sign-out", "session.end", "password.request-reset", "password.reset", "session.stolen", "user.create", "user.update", "user.delete", "user.unlock", "identity.link", "identity.unlink", "user-key.create", "user-key.delete", "system-key.create", "system-key.delete", "provider.create", "provider.update", "provider.delete", "sandbox-config.create", "sandbox-config.update", "sandbox-config.delete", "sandbox-provider.update", "retention.create", "retention.update", "retention.delete", "project.delete", "project.clear", "dataset.delete", "project.privacy", "project-member.set", "project-member.remove", "group.create", "group.update", "group.delete", "prompt.delete", "experiment.delete", "data.delete", "secret.set", "secret.delete", "export", "oauth2-client.register", "oauth2-grant.approve", "oauth2-grant.create", "oauth2-grant.revoke", "oauth2-grant.replay"]
    outcome: Literal["DONE", "DENIED"]
    # Entries at or after this time.
    start_time: str
    # Entries before this time.
    end_time: str
    # Part of the name of the user or target. Case is ignored.
    text: str
    # Part of the name of the user. Case is ignored.
    username: str
    # Part of the kind, id or name of the target. Case is ignored.
    target: str
    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page.
    limit: int

class ListAuditEntriesResponse(TypedDict):
    """Response of listAuditEntries: List the audit log, newest first"""

    data: List[AuditEntry]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class ExportAuditLogQuery(TypedDict, total=False):
    """Query of exportAuditLog: Download the audit log as CSV, newest first"""

    action: Literal["sign-in", "sign-out", "session.end", "password.request-reset", "password.reset", "session.stolen", "user.create", "user.update", "user.delete", "user.unlock", "identity.link", "identity.unlink", "user-key.create", "user-key.delete", "system-key.create", "system-key.delete", "provider.create", "provider.update", "provider.delete", "sandbox-config.create", "sandbox-config.update", "sandbox-config.delete", "sandbox-provider.update", "retention.create", "retention.update", "retention.delete", "project.delete", "project.clear", "dataset.delete", "project.privacy", "project-member.set", "project-member.remove", "group.create", "group.update", "group.delete", "prompt.delete", "experiment.delete", "data.delete", "secret.set", "secret.delete", "export", "oauth2-client.register", "oauth2-grant.approve", "oauth2-grant.create", "oauth2-grant.revoke", "oauth2-grant.replay"]
    outcome: Literal["DONE", "DENIED"]
    # Entries at or after this time.
    start_time: str
    # Entries before this time.
    end_time: str
    # Part of the name of the user or target. Case is ignored.
    text: str
    # Part of the name of the user. Case is ignored.
    username: str
    # Part of the kind, id or name of the target. Case is ignored.
    target: str

class ListProjectsQuery(TypedDict, total=False):
    """Query of listProjects: List projects, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int
    # Also list projects of experiments.
    include_experiment_projects: bool
    # Also list projects of dataset evaluators.
    include_dataset_evaluator_projects: bool
    # Part of the name. Case is ignored.
    name_contains: str

class ListProjectsResponse(TypedDict):
    """Response of listProjects: List projects, newest first"""

    data: List[Project]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class _CreateProjectBodyRequired(TypedDict):
    name: str

class CreateProjectBody(_CreateProjectBodyRequired, total=False):
    """Body of createProject: Create a project"""

    description: Union[str, None]
    # Whether only the caller, members and administrators find it. Needs sign-in.
    is_private: bool

class CreateProjectResponse(TypedDict):
    """Response of createProject: Create a project"""

    data: Project

class GetProjectResponse(TypedDict):
    """Response of getProject: Read a project"""

    data: Project

class UpdateProjectBody(TypedDict, total=False):
    """Body of updateProject: Change the description of a project"""

    # Null or absent to keep it.
    description: Union[str, None]

class UpdateProjectResponse(TypedDict):
    """Response of updateProject: Change the description of a project"""

    data: Project

class GetProjectAccessResponse(TypedDict):
    """Response of getProjectAccess: Read who may use a project"""

    data: ProjectAccess

class SetProjectPrivacyBody(TypedDict):
    """Body of setProjectPrivacy: Make a project private or open"""

    is_private: bool

class SetProjectPrivacyResponse(TypedDict):
    """Response of setProjectPrivacy: Make a project private or open"""

    data: ProjectAccess

class _SetProjectMemberBodyRequired(TypedDict):
    # READER: reads. EDITOR: also writes. OWNER: also manages the access.
    level: Literal["READER", "EDITOR", "OWNER"]

class SetProjectMemberBody(_SetProjectMemberBodyRequired, total=False):
    """Body of setProjectMember: Add a member, or change the level of one"""

    # Global ID of a user.
    user_id: str
    # A group of the identity provider.
    group: str
    email: str

class SetProjectMemberResponse(TypedDict):
    """Response of setProjectMember: Add a member, or change the level of one"""

    data: ProjectAccess

class RemoveProjectMemberQuery(TypedDict, total=False):
    """Query of removeProjectMember: Remove a member"""

    # Global ID of a user.
    user_id: str
    # A group of the identity provider.
    group: str

class ListSpansQuery(TypedDict, total=False):
    """Query of listSpans: List spans, last stored first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page.
    limit: int
    # Start at or after this time. Without an offset it is UTC.
    start_time: str
    # Start before this time. Without an offset it is UTC.
    end_time: str
    # Trace IDs.
    trace_id: List[str]
    # Span IDs.
    span_id: List[str]
    # Span ID of the parent, or `null` for spans without a parent.
    parent_id: str
    # Exact names.
    name: List[str]
    # `OK`, `ERROR` or `UNSET`, in any case.
    status_code: List[str]
    # `key:value`: a dotted path, and a JSON value or a text. All conditions must hold. Quote a text that looks like a number or boolean: `user.id:"12345"`.
    attribute: List[str]
    # Span kinds, in any case.
    span_kind: List[str]

class ListSpansResponse(TypedDict):
    """Response of listSpans: List spans, last stored first"""

    data: List[Span]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class CreateSpansBody(TypedDict):
    """Body of createSpans: Store spans, all of them or none"""

    data: List[NewSpan]

# Response of createSpans: Store spans, all of them or none
CreateSpansResponse = "QueuedSpans"

class ListSpansAsOtlpQuery(TypedDict, total=False):
    """Query of listSpansAsOtlp: List spans as OTLP, last stored first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page.
    limit: int
    # Start at or after this time. Without an offset it is UTC.
    start_time: str
    # Start before this time. Without an offset it is UTC.
    end_time: str
    # Trace IDs.
    trace_id: List[str]
    # Span IDs.
    span_id: List[str]
    # Span ID of the parent, or `null` for spans without a parent.
    parent_id: str
    # Exact names.
    name: List[str]
    # `OK`, `ERROR` or `UNSET`, in any case.
    status_code: List[str]
    # `key:value`: a dotted path, and a JSON value or a text. All conditions must hold. Quote a text that looks like a number or boolean: `user.id:"12345"`.
    attribute: List[str]

class ListSpansAsOtlpResponse(TypedDict):
    """Response of listSpansAsOtlp: List spans as OTLP, last stored first"""

    data: List[OtlpSpan]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class ExportSpansQuery(TypedDict, total=False):
    """Query of exportSpans: Download the spans of a project"""

    format: Literal["jsonl", "csv", "parquet", "otlp-json"]
    # Start at or after this time. Without an offset it is UTC.
    start_time: str
    # Start before this time. Without an offset it is UTC.
    end_time: str
    # In the language of span filters.
    filter_condition: str
    root_spans_only: bool
    # A span whose parent is not stored counts as a root.
    orphan_span_as_root_span: bool

class ExportChosenSpansBody(TypedDict, total=False):
    """Body of exportChosenSpans: Download the spans of a project by a long list"""

    format: Literal["jsonl", "csv", "parquet", "otlp-json"]
    # Start at or after this time. Without an offset it is UTC.
    start_time: str
    # Start before this time. Without an offset it is UTC.
    end_time: str
    # In the language of span filters.
    filter_condition: str
    root_spans_only: bool
    # A span whose parent is not stored counts as a root.
    orphan_span_as_root_span: bool
    # Only spans of these traces.
    trace_ids: List[str]

class ImportSpansResponse(TypedDict):
    """Response of importSpans: Store the spans of a file that an export wrote"""

    data: ImportedSpans

# Query of querySpans: Query tables of spans
QuerySpansQuery = TypedDict(
    "QuerySpansQuery",
    {
        "project_name": "str",
        "project-name": "str",
    },
    total=False,
)

# Body of querySpans: Query tables of spans
QuerySpansBody = "SpanQueries"

# Query of querySpansByGet: Query tables of spans
QuerySpansByGetQuery = TypedDict(
    "QuerySpansByGetQuery",
    {
        "project_name": "str",
        "project-name": "str",
    },
    total=False,
)

# Body of querySpansByGet: Query tables of spans
QuerySpansByGetBody = "SpanQueries"

class ListTracesQuery(TypedDict, total=False):
    """Query of listTraces: List traces"""

    # Start at or after this time. Without an offset it is UTC.
    start_time: str
    # Start before this time. Without an offset it is UTC.
    end_time: str
    sort: Literal["start_time", "latency_ms"]
    order: Literal["asc", "desc"]
    # Rows of the page.
    limit: int
    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Also list the spans of each trace.
    include_spans: bool
    # Only traces with a failed span, or only those without.
    error: bool
    # Minimum duration.
    min_latency_ms: float
    # Maximum duration.
    max_latency_ms: float
    # Only traces of these sessions: global IDs or session IDs of the application.
    session_identifier: List[str]

class ListTracesResponse(TypedDict):
    """Response of listTraces: List traces"""

    data: List[Trace]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class TransferTracesBody(TypedDict):
    """Body of transferTraces: Move traces of one project to another"""

    # Global IDs or OpenTelemetry trace IDs.
    trace_identifiers: List[str]
    destination_project_identifier: str

class TransferTracesResponseData(TypedDict):
    transferred_trace_count: int
    destination_project_id: str

class TransferTracesResponse(TypedDict):
    """Response of transferTraces: Move traces of one project to another"""

    data: TransferTracesResponseData

class ListSessionsQuery(TypedDict, total=False):
    """Query of listSessions: List sessions in the order in which they were stored, with their traces"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int
    order: Literal["asc", "desc"]

class ListSessionsResponse(TypedDict):
    """Response of listSessions: List sessions in the order in which they were stored, with their traces"""

    data: List[Session]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class GetSessionResponse(TypedDict):
    """Response of getSession: Read a session with its traces"""

    data: Session

class DeleteSessionsBody(TypedDict):
    """Body of deleteSessions: Delete sessions with their traces and spans"""

    session_identifiers: List[str]

class ListPromptsQuery(TypedDict, total=False):
    """Query of listPrompts: List prompts, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListPromptsResponse(TypedDict):
    """Response of listPrompts: List prompts, newest first"""

    data: List[Prompt]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class _CreatePromptVersionBodyPromptRequired(TypedDict):
    name: str

class CreatePromptVersionBodyPrompt(_CreatePromptVersionBodyPromptRequired, total=False):
    description: Union[str, None]
    metadata: Union[Dict[str, Any], None]

class CreatePromptVersionBody(TypedDict):
    """Body of createPromptVersion: Add a version to a prompt"""

    prompt: CreatePromptVersionBodyPrompt
    version: PromptVersionData

class CreatePromptVersionResponse(TypedDict):
    """Response of createPromptVersion: Add a version to a prompt"""

    data: PromptVersion

class UpdatePromptBody(TypedDict, total=False):
    """Body of updatePrompt: Change the description or metadata of a prompt"""

    # Null removes it.
    description: Union[str, None]
    metadata: Dict[str, Any]

class UpdatePromptResponseData(TypedDict, total=False):
    name: str
    description: Union[str, None]
    # The prompt from which this one was cloned.
    source_prompt_id: Union[str, None]
    metadata: Dict[str, Any]
    # Global ID.
    id: str

class UpdatePromptResponse(TypedDict):
    """Response of updatePrompt: Change the description or metadata of a prompt"""

    data: UpdatePromptResponseData

class ListPromptVersionsQuery(TypedDict, total=False):
    """Query of listPromptVersions: List the versions of a prompt, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListPromptVersionsResponse(TypedDict):
    """Response of listPromptVersions: List the versions of a prompt, newest first"""

    data: List[PromptVersion]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class GetLatestPromptVersionResponse(TypedDict):
    """Response of getLatestPromptVersion: Read the latest version of a prompt"""

    data: PromptVersion

class GetTaggedPromptVersionResponse(TypedDict):
    """Response of getTaggedPromptVersion: Read the version of a prompt that has a tag"""

    data: PromptVersion

class GetPromptVersionResponse(TypedDict):
    """Response of getPromptVersion: Read a version"""

    data: PromptVersion

class ComparePromptVersionsQuery(TypedDict):
    """Query of comparePromptVersions: List the differences between two versions"""

    # Global ID of the version to compare with.
    base: str

class ComparePromptVersionsResponse(TypedDict):
    """Response of comparePromptVersions: List the differences between two versions"""

    data: List[PromptDifference]

class ListPromptVersionTagsQuery(TypedDict, total=False):
    """Query of listPromptVersionTags: List the tags of a version, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListPromptVersionTagsResponse(TypedDict):
    """Response of listPromptVersionTags: List the tags of a version, newest first"""

    data: List[PromptVersionTag]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class _SetPromptVersionTagBodyRequired(TypedDict):
    name: str

class SetPromptVersionTagBody(_SetPromptVersionTagBodyRequired, total=False):
    """Body of setPromptVersionTag: Tag a version"""

    description: Union[str, None]

class AnnotateSpansQuery(TypedDict, total=False):
    """Query of annotateSpans: Annotate spans"""

    # Respond with the IDs when all are stored. When a target is missing, store none and respond 404.
    sync: bool

class AnnotateSpansBodyDataItemResult(TypedDict, total=False):
    label: Union[str, None]
    score: Union[float, None]
    explanation: Union[str, None]

class _AnnotateSpansBodyDataItemRequired(TypedDict):
    name: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    # Span ID of OpenTelemetry.
    span_id: str

class AnnotateSpansBodyDataItem(_AnnotateSpansBodyDataItemRequired, total=False):
    result: Union[AnnotateSpansBodyDataItemResult, None]
    metadata: Union[Dict[str, Any], None]
    # A target has one annotation of each name and identifier. A later one replaces it.
    identifier: str

class AnnotateSpansBody(TypedDict):
    """Body of annotateSpans: Annotate spans"""

    data: List[AnnotateSpansBodyDataItem]

class AnnotateSpansResponseDataItem(TypedDict):
    id: str

class AnnotateSpansResponse(TypedDict):
    """Response of annotateSpans: Annotate spans"""

    data: List[AnnotateSpansResponseDataItem]

class AnnotateTracesQuery(TypedDict, total=False):
    """Query of annotateTraces: Annotate traces"""

    # Respond with the IDs when all are stored. When a target is missing, store none and respond 404.
    sync: bool

class AnnotateTracesBodyDataItemResult(TypedDict, total=False):
    label: Union[str, None]
    score: Union[float, None]
    explanation: Union[str, None]

class _AnnotateTracesBodyDataItemRequired(TypedDict):
    name: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    # Trace ID of OpenTelemetry.
    trace_id: str

class AnnotateTracesBodyDataItem(_AnnotateTracesBodyDataItemRequired, total=False):
    result: Union[AnnotateTracesBodyDataItemResult, None]
    metadata: Union[Dict[str, Any], None]
    # A target has one annotation of each name and identifier. A later one replaces it.
    identifier: str

class AnnotateTracesBody(TypedDict):
    """Body of annotateTraces: Annotate traces"""

    data: List[AnnotateTracesBodyDataItem]

class AnnotateTracesResponseDataItem(TypedDict):
    id: str

class AnnotateTracesResponse(TypedDict):
    """Response of annotateTraces: Annotate traces"""

    data: List[AnnotateTracesResponseDataItem]

class AnnotateSessionsQuery(TypedDict, total=False):
    """Query of annotateSessions: Annotate sessions"""

    # Respond with the IDs when all are stored. When a target is missing, store none and respond 404.
    sync: bool

class AnnotateSessionsBodyDataItemResult(TypedDict, total=False):
    label: Union[str, None]
    score: Union[float, None]
    explanation: Union[str, None]

class _AnnotateSessionsBodyDataItemRequired(TypedDict):
    name: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    # Session ID of the application.
    session_id: str

class AnnotateSessionsBodyDataItem(_AnnotateSessionsBodyDataItemRequired, total=False):
    result: Union[AnnotateSessionsBodyDataItemResult, None]
    metadata: Union[Dict[str, Any], None]
    # A target has one annotation of each name and identifier. A later one replaces it.
    identifier: str

class AnnotateSessionsBody(TypedDict):
    """Body of annotateSessions: Annotate sessions"""

    data: List[AnnotateSessionsBodyDataItem]

class AnnotateSessionsResponseDataItem(TypedDict):
    id: str

class AnnotateSessionsResponse(TypedDict):
    """Response of annotateSessions: Annotate sessions"""

    data: List[AnnotateSessionsResponseDataItem]

class AnnotateDocumentsQuery(TypedDict, total=False):
    """Query of annotateDocuments: Annotate documents"""

    # Respond with the IDs when all are stored. When a target is missing, store none and respond 404.
    sync: bool

class AnnotateDocumentsBodyDataItemResult(TypedDict, total=False):
    label: Union[str, None]
    score: Union[float, None]
    explanation: Union[str, None]

class _AnnotateDocumentsBodyDataItemRequired(TypedDict):
    name: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    # Span ID of OpenTelemetry.
    span_id: str
    # Position of the document in the span, from 0.
    document_position: int

class AnnotateDocumentsBodyDataItem(_AnnotateDocumentsBodyDataItemRequired, total=False):
    result: Union[AnnotateDocumentsBodyDataItemResult, None]
    metadata: Union[Dict[str, Any], None]
    # A target has one annotation of each name and identifier. A later one replaces it.
    identifier: str

class AnnotateDocumentsBody(TypedDict):
    """Body of annotateDocuments: Annotate documents"""

    data: List[AnnotateDocumentsBodyDataItem]

class AnnotateDocumentsResponseDataItem(TypedDict):
    id: str

class AnnotateDocumentsResponse(TypedDict):
    """Response of annotateDocuments: Annotate documents"""

    data: List[AnnotateDocumentsResponseDataItem]

class _AddSpanNoteBodyDataRequired(TypedDict):
    note: str
    # Span ID of OpenTelemetry.
    span_id: str

class AddSpanNoteBodyData(_AddSpanNoteBodyDataRequired, total=False):
    # Empty to add a further note. Otherwise the note with this identifier is replaced.
    identifier: str

class AddSpanNoteBody(TypedDict):
    """Body of addSpanNote: Add a note to a span"""

    data: AddSpanNoteBodyData

class AddSpanNoteResponseData(TypedDict):
    id: str

class AddSpanNoteResponse(TypedDict):
    """Response of addSpanNote: Add a note to a span"""

    data: AddSpanNoteResponseData

class _AddTraceNoteBodyDataRequired(TypedDict):
    note: str
    # Trace ID of OpenTelemetry.
    trace_id: str

class AddTraceNoteBodyData(_AddTraceNoteBodyDataRequired, total=False):
    # Empty to add a further note. Otherwise the note with this identifier is replaced.
    identifier: str

class AddTraceNoteBody(TypedDict):
    """Body of addTraceNote: Add a note to a trace"""

    data: AddTraceNoteBodyData

class AddTraceNoteResponseData(TypedDict):
    id: str

class AddTraceNoteResponse(TypedDict):
    """Response of addTraceNote: Add a note to a trace"""

    data: AddTraceNoteResponseData

class _AddSessionNoteBodyDataRequired(TypedDict):
    note: str
    # Session ID of the application.
    session_id: str

class AddSessionNoteBodyData(_AddSessionNoteBodyDataRequired, total=False):
    # Empty to add a further note. Otherwise the note with this identifier is replaced.
    identifier: str

class AddSessionNoteBody(TypedDict):
    """Body of addSessionNote: Add a note to a session"""

    data: AddSessionNoteBodyData

class AddSessionNoteResponseData(TypedDict):
    id: str

class AddSessionNoteResponse(TypedDict):
    """Response of addSessionNote: Add a note to a session"""

    data: AddSessionNoteResponseData

class ListSpanAnnotationsQuery(TypedDict, total=False):
    """Query of listSpanAnnotations: List annotations of spans, newest first"""

    # Span ID of OpenTelemetry.
    span_ids: List[str]
    # Identifiers.
    identifier: List[str]
    # Only these names.
    include_annotation_names: List[str]
    # None of these names.
    exclude_annotation_names: List[str]
    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    limit: int

class ListSpanAnnotationsResponse(TypedDict):
    """Response of listSpanAnnotations: List annotations of spans, newest first"""

    data: List[SpanAnnotation]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class DeleteSpanAnnotationsQuery(TypedDict, total=False):
    """Query of deleteSpanAnnotations: Delete annotations of spans"""

    name: str
    identifier: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    # Created at or after this time. Without an offset it is UTC.
    start_time: str
    # Created before this time. Without an offset it is UTC.
    end_time: str
    # Required unless both times are given.
    delete_all: bool

class ListTraceAnnotationsQuery(TypedDict, total=False):
    """Query of listTraceAnnotations: List annotations of traces, newest first"""

    # Trace ID of OpenTelemetry.
    trace_ids: List[str]
    # Identifiers.
    identifier: List[str]
    # Only these names.
    include_annotation_names: List[str]
    # None of these names.
    exclude_annotation_names: List[str]
    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    limit: int

class ListTraceAnnotationsResponse(TypedDict):
    """Response of listTraceAnnotations: List annotations of traces, newest first"""

    data: List[TraceAnnotation]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class DeleteTraceAnnotationsQuery(TypedDict, total=False):
    """Query of deleteTraceAnnotations: Delete annotations of traces"""

    name: str
    identifier: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    # Created at or after this time. Without an offset it is UTC.
    start_time: str
    # Created before this time. Without an offset it is UTC.
    end_time: str
    # Required unless both times are given.
    delete_all: bool

class ListSessionAnnotationsQuery(TypedDict, total=False):
    """Query of listSessionAnnotations: List annotations of sessions, newest first"""

    # Session ID of the application.
    session_ids: List[str]
    # Identifiers.
    identifier: List[str]
    # Only these names.
    include_annotation_names: List[str]
    # None of these names.
    exclude_annotation_names: List[str]
    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    limit: int

class ListSessionAnnotationsResponse(TypedDict):
    """Response of listSessionAnnotations: List annotations of sessions, newest first"""

    data: List[SessionAnnotation]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class DeleteSessionAnnotationsQuery(TypedDict, total=False):
    """Query of deleteSessionAnnotations: Delete annotations of sessions"""

    name: str
    identifier: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    # Created at or after this time. Without an offset it is UTC.
    start_time: str
    # Created before this time. Without an offset it is UTC.
    end_time: str
    # Required unless both times are given.
    delete_all: bool

class ListAnnotationConfigsQuery(TypedDict, total=False):
    """Query of listAnnotationConfigs: List annotation configs, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListAnnotationConfigsResponse(TypedDict):
    """Response of listAnnotationConfigs: List annotation configs, newest first"""

    data: List[AnnotationConfig]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

# Body of createAnnotationConfig: Create an annotation config
CreateAnnotationConfigBody = "NewAnnotationConfig"

class CreateAnnotationConfigResponse(TypedDict):
    """Response of createAnnotationConfig: Create an annotation config"""

    data: AnnotationConfig

class GetAnnotationConfigResponse(TypedDict):
    """Response of getAnnotationConfig: Read an annotation config"""

    data: AnnotationConfig

# Body of replaceAnnotationConfig: Replace an annotation config
ReplaceAnnotationConfigBody = "NewAnnotationConfig"

class ReplaceAnnotationConfigResponse(TypedDict):
    """Response of replaceAnnotationConfig: Replace an annotation config"""

    data: AnnotationConfig

class DeleteAnnotationConfigResponse(TypedDict):
    """Response of deleteAnnotationConfig: Delete an annotation config"""

    data: AnnotationConfig

class ListProjectAnnotationConfigsQuery(TypedDict, total=False):
    """Query of listProjectAnnotationConfigs: List the annotation configs of a project, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListProjectAnnotationConfigsResponse(TypedDict):
    """Response of listProjectAnnotationConfigs: List the annotation configs of a project, newest first"""

    data: List[AnnotationConfig]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class SetProjectAnnotationConfigsBody(TypedDict):
    """Body of setProjectAnnotationConfigs: Assign exactly these annotation configs to a project"""

    annotation_config_ids: List[str]

class SetProjectAnnotationConfigsResponse(TypedDict):
    """Response of setProjectAnnotationConfigs: Assign exactly these annotation configs to a project"""

    data: List[AnnotationConfig]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class AssignAnnotationConfigResponse(TypedDict):
    """Response of assignAnnotationConfig: Assign an annotation config to a project"""

    data: AnnotationConfig

class ListDatasetsQuery(TypedDict, total=False):
    """Query of listDatasets: List datasets, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # The exact name.
    name: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListDatasetsResponse(TypedDict):
    """Response of listDatasets: List datasets, newest first"""

    data: List[Dataset]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class GetDatasetResponse(TypedDict):
    """Response of getDataset: Read a dataset"""

    data: Dataset

class UpdateDatasetBody(TypedDict, total=False):
    """Body of updateDataset: Change the name, description or metadata of a dataset"""

    name: str
    # Null removes it.
    description: Union[str, None]
    # Replaces the stored metadata.
    metadata: Dict[str, Any]

class UpdateDatasetResponse(TypedDict):
    """Response of updateDataset: Change the name, description or metadata of a dataset"""

    data: Dataset

class ListDatasetVersionsQuery(TypedDict, total=False):
    """Query of listDatasetVersions: List the versions of a dataset, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListDatasetVersionsResponse(TypedDict):
    """Response of listDatasetVersions: List the versions of a dataset, newest first"""

    data: List[DatasetVersion]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class UploadDatasetQuery(TypedDict, total=False):
    """Query of uploadDataset: Upload examples to a dataset"""

    # Respond with the result of the upload. Otherwise the response is null.
    sync: bool

# Body of uploadDataset: Upload examples to a dataset
UploadDatasetBody = "NewDataset"

class UploadDatasetResponse_(TypedDict):
    data: DatasetUpload

# Response of uploadDataset: Upload examples to a dataset
UploadDatasetResponse = Union["UploadDatasetResponse_", None]

# Body of uploadSpansToDataset: Create examples from the spans that a filter selects
UploadSpansToDatasetBody = "DatasetSpans"

class UploadSpansToDatasetResponse(TypedDict):
    """Response of uploadSpansToDataset: Create examples from the spans that a filter selects"""

    data: DatasetUpload

class UploadDatasetFileQuery(TypedDict, total=False):
    """Query of uploadDatasetFile: Upload a file to a dataset, or plan it"""

    # ID by which the client asks for the state. Choose a random one for each upload. A request with the ID of an upload that is stored stores nothing, and gets its result without samples: a browser sends a request again when its connection breaks.
    upload_id: str
    # Dataset to change. Default: the dataset of the name.
    dataset_id: str
    # The version that the caller has seen. 409 if the dataset has a newer one. Empty: it has none.
    version_id: str
    # Respond with the plan and store nothing.
    dry_run: bool
    # `fail`: one rejected row rejects the upload. `skip`: rejected rows are left out.
    rejected_rows: Literal["fail", "skip"]

class UploadDatasetFileResponse(TypedDict):
    """Response of uploadDatasetFile: Upload a file to a dataset, or plan it"""

    data: DatasetFileUpload

class GetDatasetUploadResponse(TypedDict):
    """Response of getDatasetUpload: Get the state of an own upload"""

    data: DatasetUploadState

class PreviewParquetFileQuery(TypedDict, total=False):
    """Query of previewParquetFile: Read columns and first rows of a Parquet file"""

    # Size of the whole file.
    file_bytes: int
    # Bytes of the body that are the start.
    head_bytes: int

class PreviewParquetFileResponse(TypedDict):
    """Response of previewParquetFile: Read columns and first rows of a Parquet file"""

    data: ParquetPreview

class ListDatasetExamplesQuery(TypedDict, total=False):
    """Query of listDatasetExamples: Read the examples of a dataset at a version"""

    # Global ID of the version. Default: the latest version.
    version_id: str
    # Names or global IDs of splits. Returns examples that are currently in any of them.
    split: List[str]
    # Rows of the page. Default: all rows.
    limit: int
    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str

class ListDatasetExamplesResponse(TypedDict):
    """Response of listDatasetExamples: Read the examples of a dataset at a version"""

    data: DatasetExamples

class _ListDatasetChangesQueryRequired(TypedDict):
    # Global ID of the version to compare with.
    base_version_id: str

class ListDatasetChangesQuery(_ListDatasetChangesQueryRequired, total=False):
    """Query of listDatasetChanges: Compare two versions of a dataset"""

    # Global ID of the version. Default: the latest version.
    version_id: str
    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListDatasetChangesResponse(TypedDict):
    """Response of listDatasetChanges: Compare two versions of a dataset"""

    data: List[ExampleChange]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class DownloadDatasetCsvQuery(TypedDict, total=False):
    """Query of downloadDatasetCsv: Download a dataset as CSV"""

    # Global ID of the version. Default: the latest version.
    version_id: str
    # For CSV: a text that a spreadsheet would run as a formula starts with an apostrophe. Such a file is not the same when it is uploaded again.
    spreadsheet: bool

class DownloadDatasetJsonLinesQuery(TypedDict, total=False):
    """Query of downloadDatasetJsonLines: Download a dataset as JSON lines"""

    # Global ID of the version. Default: the latest version.
    version_id: str
    # For CSV: a text that a spreadsheet would run as a formula starts with an apostrophe. Such a file is not the same when it is uploaded again.
    spreadsheet: bool

class DownloadDatasetOpenAiFineTuningQuery(TypedDict, total=False):
    """Query of downloadDatasetOpenAiFineTuning: Download a dataset for fine-tuning with OpenAI"""

    # Global ID of the version. Default: the latest version.
    version_id: str
    # For CSV: a text that a spreadsheet would run as a formula starts with an apostrophe. Such a file is not the same when it is uploaded again.
    spreadsheet: bool

class DownloadDatasetOpenAiEvalsQuery(TypedDict, total=False):
    """Query of downloadDatasetOpenAiEvals: Download a dataset for OpenAI evals"""

    # Global ID of the version. Default: the latest version.
    version_id: str
    # For CSV: a text that a spreadsheet would run as a formula starts with an apostrophe. Such a file is not the same when it is uploaded again.
    spreadsheet: bool

class _CreateDatasetSplitBodyRequired(TypedDict):
    # Unique among the splits of all datasets.
    name: str

class CreateDatasetSplitBody(_CreateDatasetSplitBodyRequired, total=False):
    """Body of createDatasetSplit: Create a split with examples of this dataset"""

    description: Union[str, None]
    color: str
    metadata: Dict[str, Any]
    # Global IDs of examples.
    example_ids: List[str]

class CreateDatasetSplitResponse(TypedDict):
    """Response of createDatasetSplit: Create a split with examples of this dataset"""

    data: DatasetSplit

class UpdateDatasetSplitBody(TypedDict, total=False):
    """Body of updateDatasetSplit: Change a split, or its examples of this dataset"""

    name: Union[str, None]
    # Null removes it.
    description: Union[str, None]
    color: Union[str, None]
    # Replaces the stored metadata.
    metadata: Union[Dict[str, Any], None]
    # Global IDs of examples.
    add_example_ids: List[str]
    # Global IDs of examples. An example that is both added and removed is removed.
    remove_example_ids: List[str]

class UpdateDatasetSplitResponse(TypedDict):
    """Response of updateDatasetSplit: Change a split, or its examples of this dataset"""

    data: DatasetSplit

class AddSpansAsExamplesBodyMappingInputItem(TypedDict):
    name: str
    path: str

class AddSpansAsExamplesBodyMappingOutputItem(TypedDict):
    name: str
    path: str

class AddSpansAsExamplesBodyMappingMetadataItem(TypedDict):
    name: str
    path: str

class AddSpansAsExamplesBodyMapping(TypedDict, total=False):
    input: Union[List[AddSpansAsExamplesBodyMappingInputItem], None]
    output: Union[List[AddSpansAsExamplesBodyMappingOutputItem], None]
    metadata: Union[List[AddSpansAsExamplesBodyMappingMetadataItem], None]

class _AddSpansAsExamplesBodyRequired(TypedDict):
    # Global IDs of spans.
    span_ids: List[str]

class AddSpansAsExamplesBody(_AddSpansAsExamplesBodyRequired, total=False):
    """Body of addSpansAsExamples: Add spans to a dataset by a mapping"""

    mapping: AddSpansAsExamplesBodyMapping
    # Names of splits, created when they are absent.
    splits: List[str]
    description: Union[str, None]
    # Also adds examples whose span or content the dataset has.
    keep_repeated: bool
    dry_run: bool

class AddNewMatchesOfSourceBody(TypedDict, total=False):
    """Body of addNewMatchesOfSource: Add the new matches of a saved source to its dataset"""

    # Also adds examples whose span or content the dataset has.
    keep_repeated: bool

class ListDatasetLabelsQuery(TypedDict, total=False):
    """Query of listDatasetLabels: List labels of datasets, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListDatasetLabelsResponse(TypedDict):
    """Response of listDatasetLabels: List labels of datasets, newest first"""

    data: List[DatasetLabel]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class _CreateDatasetLabelBodyRequired(TypedDict):
    # Unique.
    name: str
    # `#rrggbb` in lower case.
    color: str

class CreateDatasetLabelBody(_CreateDatasetLabelBodyRequired, total=False):
    """Body of createDatasetLabel: Create a label"""

    description: Union[str, None]

class CreateDatasetLabelResponse(TypedDict):
    """Response of createDatasetLabel: Create a label"""

    data: DatasetLabel

class GetDatasetLabelResponse(TypedDict):
    """Response of getDatasetLabel: Read a label"""

    data: DatasetLabel

class UpdateDatasetLabelBody(TypedDict, total=False):
    """Body of updateDatasetLabel: Change a label"""

    name: Union[str, None]
    color: Union[str, None]
    # Null removes it.
    description: Union[str, None]

class UpdateDatasetLabelResponse(TypedDict):
    """Response of updateDatasetLabel: Change a label"""

    data: DatasetLabel

class ListLabelsOfDatasetResponse(TypedDict):
    """Response of listLabelsOfDataset: List the labels of a dataset"""

    data: List[DatasetLabel]

class SetLabelsOfDatasetBody(TypedDict, total=False):
    """Body of setLabelsOfDataset: Replace the labels of a dataset"""

    # Global IDs of labels.
    dataset_label_ids: List[str]

class SetLabelsOfDatasetResponse(TypedDict):
    """Response of setLabelsOfDataset: Replace the labels of a dataset"""

    data: List[DatasetLabel]

class AddLabelToDatasetResponse(TypedDict):
    """Response of addLabelToDataset: Add a label to a dataset"""

    data: DatasetLabel

class CreateExperimentBody(TypedDict, total=False):
    """Body of createExperiment: Create an experiment on the examples of a dataset"""

    # Default: derived from the name of the dataset.
    name: Union[str, None]
    description: Union[str, None]
    metadata: Union[Dict[str, Any], None]
    # Global ID. Default: the latest version.
    version_id: Union[str, None]
    # Names or global IDs. If absent or empty, the experiment uses all examples.
    splits: Union[List[str], None]
    repetitions: int

class CreateExperimentResponse(TypedDict):
    """Response of createExperiment: Create an experiment on the examples of a dataset"""

    data: Experiment

class ListExperimentsQuery(TypedDict, total=False):
    """Query of listExperiments: List the experiments of a dataset, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListExperimentsResponse(TypedDict):
    """Response of listExperiments: List the experiments of a dataset, newest first"""

    data: List[Experiment]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class GetExperimentResponse(TypedDict):
    """Response of getExperiment: Read an experiment"""

    data: Experiment

class UpdateExperimentBody(TypedDict, total=False):
    """Body of updateExperiment: Change the name, description or metadata of an experiment"""

    name: str
    # Null removes it.
    description: Union[str, None]
    # Replaces the stored metadata.
    metadata: Dict[str, Any]

class UpdateExperimentResponse(TypedDict):
    """Response of updateExperiment: Change the name, description or metadata of an experiment"""

    data: Experiment

class DeleteExperimentQuery(TypedDict, total=False):
    """Query of deleteExperiment: Delete an experiment with its runs and evaluations"""

    # Also delete the project with the traces of its runs.
    delete_project: bool

# Response of downloadExperimentJson: Download the runs of an experiment with their evaluations as JSON
DownloadExperimentJsonResponse = str

class _GetExperimentComparisonCsvQueryRequired(TypedDict):
    # Global IDs of 2 to 8 experiments of a dataset, the baseline first.
    experiment_id: List[str]

class GetExperimentComparisonCsvQuery(_GetExperimentComparisonCsvQueryRequired, total=False):
    """Query of getExperimentComparisonCsv: Download the rows of a comparison of experiments as CSV"""

    # Only examples that are in one of these splits now.
    split_id: List[str]
    # Key of a measure, such as `score:correctness` or `latencyMs`, or `first`: the first score with a direction, else the latency. Default: the order of the dataset.
    sort: str
    # Sorts by the difference of this experiment to the baseline. Default: the worst of all.
    sort_experiment_id: str
    # `asc`: the largest regression first.
    order: Literal["asc", "desc"]
    # Key of a measure on which the example is worse than the one of the baseline.
    regressed_on: str
    # Key of a measure on which the example is better than the one of the baseline.
    improved_on: str
    # Limits the other conditions to this experiment. Default: any experiment.
    filter_experiment_id: str
    # Only examples with a failed run, or only those without.
    has_error: bool
    # Only examples that an experiment has not run, or has.
    is_missing: bool
    # Only examples with a run that took longer.
    slower_than_ms: str
    # Name of a score on which the annotators of a run disagree.
    disagree_on: str
    # A filter of runs, such as `experiments[0].latency_ms > 1000`.
    condition: str
    # Part of the input, the reference output, an output or an error. Case is ignored.
    text: str

class _GetExperimentComparisonReportQueryRequired(TypedDict):
    # Global IDs of 2 to 8 experiments of a dataset, the baseline first.
    experiment_id: List[str]

class GetExperimentComparisonReportQuery(_GetExperimentComparisonReportQueryRequired, total=False):
    """Query of getExperimentComparisonReport: Download a report of a comparison of experiments as one HTML file"""

    # Only examples that are in one of these splits now.
    split_id: List[str]
    # Key of a measure, such as `score:correctness` or `latencyMs`, or `first`: the first score with a direction, else the latency. Default: the order of the dataset.
    sort: str
    # Sorts by the difference of this experiment to the baseline. Default: the worst of all.
    sort_experiment_id: str
    # `asc`: the largest regression first.
    order: Literal["asc", "desc"]
    # Key of a measure on which the example is worse than the one of the baseline.
    regressed_on: str
    # Key of a measure on which the example is better than the one of the baseline.
    improved_on: str
    # Limits the other conditions to this experiment. Default: any experiment.
    filter_experiment_id: str
    # Only examples with a failed run, or only those without.
    has_error: bool
    # Only examples that an experiment has not run, or has.
    is_missing: bool
    # Only examples with a run that took longer.
    slower_than_ms: str
    # Name of a score on which the annotators of a run disagree.
    disagree_on: str
    # A filter of runs, such as `experiments[0].latency_ms > 1000`.
    condition: str
    # Part of the input, the reference output, an output or an error. Case is ignored.
    text: str
    # Also groups by the values of this key of the examples' metadata.
    metadata_key: str

class _CreateExperimentRunBody_Required(TypedDict):
    # Global ID of an example of the experiment.
    dataset_example_id: str
    # Output of the task. Null is allowed.
    output: Any
    # Number of the repetition, from 1.
    repetition_number: int
    start_time: str
    end_time: str

class CreateExperimentRunBody_(_CreateExperimentRunBody_Required, total=False):
    trace_id: Union[str, None]
    error: Union[str, None]

class _CreateExperimentRunBody2ItemRequired(TypedDict):
    # Global ID of an example of the experiment.
    dataset_example_id: str
    # Output of the task. Null is allowed.
    output: Any
    # Number of the repetition, from 1.
    repetition_number: int
    start_time: str
    end_time: str

class CreateExperimentRunBody2Item(_CreateExperimentRunBody2ItemRequired, total=False):
    trace_id: Union[str, None]
    error: Union[str, None]

# Body of createExperimentRun: Store a run
CreateExperimentRunBody = Union["CreateExperimentRunBody_", List["CreateExperimentRunBody2Item"]]

class CreateExperimentRunResponse_Data(TypedDict):
    # Global ID.
    id: str

class CreateExperimentRunResponse_(TypedDict):
    data: CreateExperimentRunResponse_Data

class CreateExperimentRunResponse2(TypedDict):
    data: List[ItemResult]

# Response of createExperimentRun: Store a run
CreateExperimentRunResponse = Union["CreateExperimentRunResponse_", "CreateExperimentRunResponse2"]

class ListExperimentRunsQuery(TypedDict, total=False):
    """Query of listExperimentRuns: List the runs of an experiment, newest first"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. Default: all rows.
    limit: int

class ListExperimentRunsResponse(TypedDict):
    """Response of listExperimentRuns: List the runs of an experiment, newest first"""

    data: List[ExperimentRun]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class ListIncompleteRunsQuery(TypedDict, total=False):
    """Query of listIncompleteRuns: List examples whose repetitions have not all succeeded"""

    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListIncompleteRunsResponse(TypedDict):
    """Response of listIncompleteRuns: List examples whose repetitions have not all succeeded"""

    data: List[IncompleteRun]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class ListIncompleteEvaluationsQuery(TypedDict, total=False):
    """Query of listIncompleteEvaluations: List successful runs that lack a successful evaluation of these names"""

    # Names of evaluations.
    evaluation_name: List[str]
    # `next_cursor` of the previous page. It names the first row of this page.
    cursor: str
    # Rows of the page. A page holds at most 1000.
    limit: int

class ListIncompleteEvaluationsResponse(TypedDict):
    """Response of listIncompleteEvaluations: List successful runs that lack a successful evaluation of these names"""

    data: List[IncompleteEvaluation]
    # Cursor of the next page. Null on the last page.
    next_cursor: Union[str, None]

class UpsertExperimentEvaluationBody_Result(TypedDict, total=False):
    label: Union[str, None]
    score: Union[float, None]
    explanation: Union[str, None]
    metadata: Union[Any, None]

class _UpsertExperimentEvaluationBody_Required(TypedDict):
    # Global ID.
    experiment_run_id: str
    name: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    start_time: str
    end_time: str

class UpsertExperimentEvaluationBody_(_UpsertExperimentEvaluationBody_Required, total=False):
    result: Union[UpsertExperimentEvaluationBody_Result, None]
    error: Union[str, None]
    metadata: Union[Dict[str, Any], None]
    trace_id: Union[str, None]

class UpsertExperimentEvaluationBody2ItemResult(TypedDict, total=False):
    label: Union[str, None]
    score: Union[float, None]
    explanation: Union[str, None]
    metadata: Union[Any, None]

class _UpsertExperimentEvaluationBody2ItemRequired(TypedDict):
    # Global ID.
    experiment_run_id: str
    name: str
    annotator_kind: Literal["LLM", "CODE", "HUMAN"]
    start_time: str
    end_time: str

class UpsertExperimentEvaluationBody2Item(_UpsertExperimentEvaluationBody2ItemRequired, total=False):
    result: Union[UpsertExperimentEvaluationBody2ItemResult, None]
    error: Union[str, None]
    metadata: Union[Dict[str, Any], None]
    trace_id: Union[str, None]

# Body of upsertExperimentEvaluation: Store an evaluation of a run, replacing one of the same name
UpsertExperimentEvaluationBody = Union["UpsertExperimentEvaluationBody_", List["UpsertExperimentEvaluationBody2Item"]]

class UpsertExperimentEvaluationResponse_Data(TypedDict):
    # Global ID.
    id: str

class UpsertExperimentEvaluationResponse_(TypedDict):
    data: UpsertExperimentEvaluationResponse_Data

class UpsertExperimentEvaluationResponse2(TypedDict):
    data: List[ItemResult]

# Response of upsertExperimentEvaluation: Store an evaluation of a run, replacing one of the same name
UpsertExperimentEvaluationResponse = Union["UpsertExperimentEvaluationResponse_", "UpsertExperimentEvaluationResponse2"]

class ListExperimentTagsResponse(TypedDict):
    """Response of listExperimentTags: List the tags of an experiment by name"""

    data: List[ExperimentTag]

class _TagExperimentBodyRequired(TypedDict):
    name: str

class TagExperimentBody(_TagExperimentBodyRequired, total=False):
    """Body of tagExperiment: Tag an experiment"""

    description: Union[str, None]

class TagExperimentResponse(TypedDict):
    """Response of tagExperiment: Tag an experiment"""

    data: ExperimentTag

class RecomputeCostsBody(TypedDict, total=False):
    """Body of recomputeCosts: Recompute the costs of stored spans"""

    project_identifier: Union[str, None]

class RecomputeCostsResponse(TypedDict):
    """Response of recomputeCosts: Recompute the costs of stored spans"""

    data: CostRecomputation

class GetCostRecomputationResponse(TypedDict):
    """Response of getCostRecomputation: Read the progress of a cost recomputation"""

    data: CostRecomputation

class _UpsertOrDeleteSecretsBodySecretsItemRequired(TypedDict):
    # Such as `OPENAI_API_KEY`.
    key: str
    # Null deletes the secret.
    value: Union[str, None]

class UpsertOrDeleteSecretsBodySecretsItem(_UpsertOrDeleteSecretsBodySecretsItemRequired, total=False):
    # Hosts that may receive the value, with `*.` at the start for all subdomains. Absent: a stored secret keeps its hosts. Null: any host.
    hosts: Union[List[str], None]

class UpsertOrDeleteSecretsBody(TypedDict):
    """Body of upsertOrDeleteSecrets: Store and delete secrets"""

    secrets: List[UpsertOrDeleteSecretsBodySecretsItem]

class UpsertOrDeleteSecretsResponseData(TypedDict):
    upserted_keys: List[str]
    deleted_keys: List[str]

class UpsertOrDeleteSecretsResponse(TypedDict):
    """Response of upsertOrDeleteSecrets: Store and delete secrets"""

    data: UpsertOrDeleteSecretsResponseData

class CreateChatCompletionBodyMessagesItemContent2Item(TypedDict):
    type: Literal["text"]
    text: str

class CreateChatCompletionBodyMessagesItem(TypedDict):
    role: Literal["system", "developer", "user", "assistant"]
    content: Union[str, List[CreateChatCompletionBodyMessagesItemContent2Item]]

class CreateChatCompletionBodyStreamOptions(TypedDict, total=False):
    include_usage: Union[bool, None]

class _CreateChatCompletionBodyRequired(TypedDict):
    # `<provider>:<model>`, or `custom:<ID of a custom provider>:<model>`.
    model: str
    messages: List[CreateChatCompletionBodyMessagesItem]

class CreateChatCompletionBody(_CreateChatCompletionBodyRequired, total=False):
    """Body of createChatCompletion: Call a model as OpenAI does"""

    stream: Union[bool, None]
    stream_options: Union[CreateChatCompletionBodyStreamOptions, None]
    temperature: Union[float, None]
    top_p: Union[float, None]
    max_tokens: Union[int, None]
    max_completion_tokens: Union[int, None]
    stop: Union[Union[str, List[str]], None]
    frequency_penalty: Union[float, None]
    presence_penalty: Union[float, None]
    seed: Union[int, None]
    n: Union[int, None]
    tools: Union[Any, None]
    tool_choice: Union[Any, None]
    response_format: Union[Dict[str, Any], None]

# Response of createChatCompletion: Call a model as OpenAI does
CreateChatCompletionResponse = Dict[str, Any]
