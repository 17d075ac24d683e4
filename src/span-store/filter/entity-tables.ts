import { expectPresent } from '../../base/expect-present.ts';
import { SPAN_KINDS, type SpanKind, STATUS_CODES } from '../../semconv/span-kinds.ts';
import { ANNOTATION_TARGETS, type AnnotationTarget } from '../../model/annotations/annotation.ts';

/** Columns and tables that a filter of sessions or traces reads. */
export type EntityTable = 'session' | 'trace' | 'span' | 'annotation' | 'costDetail';

type Fields = Readonly<Record<string, (row: string) => string>>;

const latencyMs = (row: string): string => `((${row}.end_ns::HUGEINT - ${row}.start_ns)::DOUBLE / 1e6::DOUBLE)`;
const hex = (value: string): string => `lpad(lower(to_hex(${value})), 16, '0')`;
const column = (name: string) => (row: string) => `${row}.${name}`;
const number = (name: string) => (row: string) => `${row}.${name}::DOUBLE`;
const dollars = (...sides: readonly string[]) => {
  return (row: string) => `((${sides.map((side) => `${row}.cost_${side}_pico::DOUBLE`).join(' + ')}) / 1e12::DOUBLE)`;
};
const word = (name: string, words: readonly string[]) => (row: string) =>
  `[${words.map((each) => `'${each}'`).join(', ')}][${row}.${name} + 1]`;
const sum = (row: string) => `(${row}.tokens_prompt::DOUBLE + ${row}.tokens_completion::DOUBLE)`;

const SUMS: Fields = {
  start_time: column('start_ns'),
  end_time: column('end_ns'),
  token_count_prompt: number('tokens_prompt'),
  token_count_completion: number('tokens_completion'),
  token_count_total: sum,
  prompt_cost: dollars('prompt'),
  completion_cost: dollars('completion'),
  total_cost: dollars('prompt', 'completion'),
};

const spansOfKind = (kind: SpanKind, owner: 'session' | 'trace') => (row: string) =>
  `(SELECT count(*)::DOUBLE ${expectPresent(COLLECTIONS[owner].spans, 'the entity has spans').from(`${row}k`, row)} AND ${row}k.span_kind = ${SPAN_KINDS.indexOf(kind)})`;

const ofLlm = (tokens: (row: string) => string) => (row: string) =>
  `(CASE WHEN ${row}.span_kind = ${SPAN_KINDS.indexOf('LLM')} THEN ${tokens(row)} END)`;
const tokens = (side: string) => (row: string) => `coalesce(${row}.tokens_${side}, 0)::DOUBLE`;

/** Fields of the strict languages as SQL. Other fields need more than a row. Numbers are doubles. */
export const FIELDS: Readonly<Record<EntityTable, Fields>> = {
  session: {
    ...SUMS,
    session_id: column('session_id'),
    duration_ms: latencyMs,
    num_traces: number('trace_count'),
    num_traces_with_error: (row) =>
      `(SELECT count(*)::DOUBLE FROM store.traces ${row}e WHERE ${row}e.session_row_id = ${row}.row_id AND ${row}e.error_count > 0)`,
    tool_span_count: spansOfKind('TOOL', 'session'),
    llm_span_count: spansOfKind('LLM', 'session'),
  },
  trace: {
    ...SUMS,
    trace_id: (row) =>
      `coalesce(${row}.trace_id_text, ${hex(`${row}.trace_id_high`)} || ${hex(`${row}.trace_id_low`)})`,
    latency_ms: latencyMs,
    num_spans: number('span_count'),
    error_count: number('error_count'),
    tool_span_count: spansOfKind('TOOL', 'trace'),
    llm_span_count: spansOfKind('LLM', 'trace'),
  },
  span: {
    name: column('name'),
    parent_id: (row) => `coalesce(${row}.parent_span_id_text, ${hex(`${row}.parent_span_id`)})`,
    span_kind: word('span_kind', SPAN_KINDS),
    status_code: word('status_code', STATUS_CODES),
    start_time: column('start_ns'),
    end_time: column('end_ns'),
    latency_ms: latencyMs,
    llm_token_count_prompt: ofLlm(tokens('prompt')),
    llm_token_count_completion: ofLlm(tokens('completion')),
    llm_token_count_total: ofLlm((row) => `(${tokens('prompt')(row)} + ${tokens('completion')(row)})`),
  },
  annotation: { name: column('name'), label: column('label'), score: column('score') },
  costDetail: {
    token_type: column('token_type'),
    is_prompt: (row) => `(${row}.is_prompt = 1)`,
    cost: (row) => `(${row}.cost_pico::DOUBLE / 1e12::DOUBLE)`,
    tokens: number('tokens'),
    cost_per_token: (row) => `(${row}.cost_pico::DOUBLE / 1e12::DOUBLE / nullif(${row}.tokens::DOUBLE, 0))`,
  },
};

/** Fields whose sum is the same in any order. */
export const INTEGER_FIELDS: ReadonlySet<string> = new Set([
  'llm_token_count_prompt',
  'llm_token_count_completion',
  'llm_token_count_total',
  'tokens',
]);

/** Rows that belong to a row of another table. */
export interface EntityCollection {
  readonly table: EntityTable;
  /** `FROM … WHERE …` of the elements `row` of an owner. */
  readonly from: (row: string, owner: string) => string;
}

const ofTracesOfSession = (table: EntityTable, name: string, condition = '') => ({
  table,
  from: (row: string, owner: string) =>
    `FROM store.${name} ${row} JOIN store.traces ${row}t ON ${row}t.row_id = ${row}.trace_row_id
     WHERE ${row}t.session_row_id = ${owner}.row_id${condition && ` AND ${row}.${condition}`}`,
});
const ofOwner = (table: EntityTable, name: string, key: string, condition = '') => ({
  table,
  from: (row: string, owner: string) =>
    `FROM store.${name} ${row} WHERE ${row}.${key} = ${owner}.row_id${condition && ` AND ${row}.${condition}`}`,
});
const onTarget = (target: AnnotationTarget): string => `target = ${ANNOTATION_TARGETS.indexOf(target)}`;

/** Collections by table of their owner and name. A collection that is missing here needs the tree of a trace. */
export const COLLECTIONS: Readonly<Record<EntityTable, Readonly<Record<string, EntityCollection>>>> = {
  session: {
    traces: ofOwner('trace', 'traces', 'session_row_id'),
    spans: ofTracesOfSession('span', 'spans'),
    session_annotations: ofOwner('annotation', 'annotations', 'target_row_id', onTarget('session')),
    span_annotations: ofTracesOfSession('annotation', 'annotations', onTarget('span')),
    span_cost_details: ofTracesOfSession('costDetail', 'cost_details'),
  },
  trace: {
    spans: ofOwner('span', 'spans', 'trace_row_id'),
    trace_annotations: ofOwner('annotation', 'annotations', 'target_row_id', onTarget('trace')),
    span_annotations: ofOwner('annotation', 'annotations', 'trace_row_id', onTarget('span')),
    span_cost_details: ofOwner('costDetail', 'cost_details', 'trace_row_id'),
  },
  span: {
    annotations: ofOwner('annotation', 'annotations', 'target_row_id', onTarget('span')),
    cost_details: ofOwner('costDetail', 'cost_details', 'span_row_id'),
  },
  annotation: {},
  costDetail: {},
};
