/**
 * Tools of the public MCP server for Phoenix 4.0 to 4.3, and ours. A parameter is written as `toParameters` writes a schema:
 * `*` required, `[]` a list, `≤` its maximum, in parentheses its default.
 */
export interface ToolRow {
  /** Parameters of the public tool. Undefined for a tool of ours. */
  readonly parameters?: string;
  /** Parameters that we add. All tools that read also have `COMMON_PARAMETERS`. */
  readonly added?: string;
  /** Fields of `data` in an answer. */
  readonly data: string;
  readonly isWrite?: true;
}

export const COMMON_PARAMETERS = 'max_characters≤100000 (20000), part{path*,offset (0)}';

const VERSION = 'promptVersion{id*}';
const PROJECT = 'project_identifier';
const DATASET = { parameters: 'dataset_id, dataset_name, version_id, splits[]', added: 'limit≤500 (100), cursor' };
const EXPERIMENTS = {
  parameters: 'dataset_id, dataset_name, limit≤500 (100)',
  added: 'cursor',
  data: 'experiments[]{id*}, nextCursor|null',
};
const LATEST = { parameters: 'prompt_identifier*', data: VERSION };

export const TOOL_TABLE: Readonly<Record<string, ToolRow>> = {
  'list-prompts': { parameters: 'limit≤100 (100)', added: 'cursor', data: 'prompts[]{id*}, nextCursor|null' },
  'get-prompt': { parameters: 'prompt_identifier*, tag, version_id', data: VERSION },
  'get-latest-prompt': LATEST,
  'get-prompt-by-identifier': LATEST,
  'get-prompt-version': { parameters: 'prompt_version_id*', data: VERSION },
  'get-prompt-version-by-tag': { parameters: 'prompt_identifier*, tag_name*', data: VERSION },
  'upsert-prompt': {
    parameters:
      'name*, template*, description, model_provider OPENAI|AZURE_OPENAI|ANTHROPIC|GOOGLE (OPENAI), model_name (gpt-4), temperature≤2 (0.7)',
    data: VERSION,
    isWrite: true,
  },
  'list-prompt-versions': {
    parameters: 'prompt_identifier*, limit≤100 (100)',
    added: 'cursor',
    data: 'promptVersions[]{id*}, nextCursor|null',
  },
  'list-prompt-version-tags': {
    parameters: 'prompt_version_id*, limit≤100 (100)',
    added: 'cursor',
    data: 'tags[], nextCursor|null',
  },
  'add-prompt-version-tag': { parameters: 'prompt_version_id*, name*, description', data: 'tag', isWrite: true },
  'list-experiments-for-dataset': EXPERIMENTS,
  'get-dataset-experiments': EXPERIMENTS,
  'get-experiment-by-id': {
    parameters: 'experiment_id*',
    added: 'limit≤500 (100), offset (0)',
    data: 'metadata{id*}, experimentResult[]',
  },
  'list-datasets': { parameters: 'limit≤500 (100)', added: 'cursor', data: 'datasets[]{id*}, nextCursor|null' },
  'get-dataset': { ...DATASET, data: 'examples[]{id*}, nextCursor|null' },
  'get-dataset-examples': { ...DATASET, data: 'examples[]{id*}, nextCursor|null' },
  'add-dataset-examples': {
    parameters: 'dataset_name*, examples[]{input*,output*,metadata}*',
    data: 'datasetId, versionId',
    isWrite: true,
  },
  'list-projects': {
    parameters: 'limit≤500 (100), cursor, include_experiment_projects (false)',
    data: 'projects[]{id*,name*}, nextCursor|null',
  },
  'get-project': { parameters: `${PROJECT}*`, data: 'project{id*,name*}' },
  'list-traces': {
    parameters: `${PROJECT}, limit≤100 (10), since, last_n_minutes≤525600, include_annotations (false)`,
    added: 'error, cursor',
    data: 'traces[]{trace_id*}, nextCursor|null',
  },
  'get-trace': {
    parameters: `${PROJECT}, trace_id*, include_annotations (false)`,
    added: 'offset (0)',
    data: 'trace{traceId*}, legend, tree[]',
  },
  'get-spans': {
    parameters: `${PROJECT}, start_time, end_time, trace_ids[], parent_id|null, names[], span_kinds[], status_codes[], cursor, limit≤1000 (100), include_annotations (false)`,
    data: 'spans[]{id*}, nextCursor|null',
  },
  'get-span-annotations': {
    parameters: `${PROJECT}, span_ids[]*, include_annotation_names[], exclude_annotation_names[], cursor, limit≤1000 (100)`,
    data: 'annotations[]{id*}, nextCursor|null',
  },
  'list-sessions': {
    parameters: `${PROJECT}, limit≤100 (10), order asc|desc (desc)`,
    added: 'cursor',
    data: 'sessions[]{id*}, nextCursor|null',
  },
  'get-session': { parameters: 'session_identifier*, include_annotations (false)', data: 'session{id*}' },
  'list-annotation-configs': {
    parameters: 'limit≤500 (100)',
    added: 'cursor',
    data: 'annotationConfigs[]{id*}, nextCursor|null',
  },
  'get-span-body': {
    added: `${PROJECT}, span_id*, path, offset (0), length≤100000 (8000)`,
    data: 'name, text',
  },
  'search-spans': {
    added: `${PROJECT}, filter (), start_time, end_time, root_spans_only (false), sort_by startTime|latencyMs|tokenCountTotal (startTime), order asc|desc (desc), limit≤100 (20), cursor`,
    data: 'spans[]{spanId*}, nextCursor|null',
  },
  'describe-filter': { added: `${PROJECT}, grain spans|traces|sessions (spans)`, data: 'guide, terms[]' },
  'check-filter': { added: `${PROJECT}, filter*, grain spans|traces|sessions (spans)`, data: 'isValid' },
  'get-facets': {
    added: `${PROJECT}, filter (), start_time, end_time, grain spans|rootSpans|traces (spans), limit≤50 (8)`,
    data: 'rowCount, facets[]',
  },
};

/** Tools of the public server that ours has not; `docs/mcp.md` has the reason. */
export const MISSING_TOOLS = ['phoenix-support'];

/** Parameters of a row in the order of their texts. */
export const parametersOf = ({ parameters = '', added = '', isWrite }: ToolRow): string[] =>
  [parameters, added, isWrite ? '' : COMMON_PARAMETERS].flatMap(splitParameters).sort();

/** Between parameters, and not inside of braces. */
const splitParameters = (text: string): string[] => (text === '' ? [] : text.split(/, (?![^{]*\})/));

/** The part of JSON Schema that the tools use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly maximum?: number;
  readonly default?: unknown;
}

/** Properties of a schema in the notation of the table, in the order of their texts. */
export const toParameters = (schema: unknown): string[] => propertiesOf(schema as Schema).sort();

const propertiesOf = ({ properties = {}, required = [] }: Schema): string[] =>
  Object.entries(properties).map(([name, schema]) => {
    // A default makes a parameter optional for the caller, whatever the schema of the answer says.
    const isRequired = required.includes(name) && schema.default === undefined;
    return `${name}${toNotation(schema)}${isRequired ? '*' : ''}`;
  });

function toNotation(schema: Schema): string {
  const { anyOf, items, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (Array.isArray(schema.type)) {
    const [type] = schema.type.filter((each) => each !== 'null');
    return `${toNotation({ ...schema, type })}${schema.type.includes('null') ? '|null' : ''}`;
  }
  if (anyOf) {
    const others = anyOf.filter(({ type }) => type !== 'null');
    return others.map(toNotation).join('') + (others.length < anyOf.length ? '|null' : '');
  }
  const fields = schema.type === 'object' ? propertiesOf(schema).join(',') : '';
  const choices = schema.enum ? ` ${schema.enum.join('|')}` : '';
  const most = maximum < Number.MAX_SAFE_INTEGER ? `≤${maximum}` : '';
  const fallback = schema.default === undefined ? '' : ` (${String(schema.default)})`;
  return `${items ? `[]${toNotation(items)}` : ''}${fields && `{${fields}}`}${most}${choices}${fallback}`;
}
