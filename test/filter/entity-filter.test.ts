import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { annotationWarnings } from '../../src/filter/annotation-warnings.ts';
import type { EntityView } from '../../src/filter/entities/entity-view.ts';
import { matchesEntity } from '../../src/filter/entities/evaluate-entity-filter.ts';
import { parseSessionFilter, parseTraceFilter } from '../../src/filter/entities/parse-entity-filter.ts';
import { FilterError } from '../../src/filter/syntax/filter-error.ts';
import { formatFilter } from '../../src/filter/syntax/format-filter.ts';
import { SESSION_VOCABULARY, TRACE_VOCABULARY } from '../../src/filter/vocabulary.ts';
import { randomFrom, TEXTS } from './random-filters.ts';

const T = 1_772_438_400_000_000_000n; // 2026-03-02T08:00:00Z
const element = (fields: EntityView['fields'], more: Partial<EntityView> = {}): EntityView => ({ fields, ...more });

const ROOT = element({
  name: 'root',
  span_kind: 'AGENT',
  status_code: 'OK',
  latency_ms: 100,
  start_time: T,
  parent_id: null,
});
const TOOL: EntityView = element(
  { name: 'tool', span_kind: 'TOOL', status_code: 'ERROR', latency_ms: 40, start_time: T + 5n, parent_id: 'r' },
  { parentSpan: ROOT, collections: { children: [], siblings: [], annotations: [], cost_details: [] } },
);
const ORPHAN = element(
  { name: 'orphan', span_kind: 'LLM', status_code: 'OK', latency_ms: null, start_time: T + 9n, parent_id: 'gone' },
  {
    parentSpan: null,
    collections: {
      annotations: [element({ name: 'quality', label: 'bad', score: 0.1 })],
      cost_details: [element({ token_type: 'input', is_prompt: true, cost: 0.5, tokens: 10, cost_per_token: 0.05 })],
    },
  },
);
const SPANS = [element(ROOT.fields, { collections: { children: [TOOL], siblings: [] } }), TOOL, ORPHAN];
const COST_DETAILS = [
  element({ token_type: 'input', is_prompt: true, cost: 1, tokens: 100, cost_per_token: 0.01 }),
  element({ token_type: 'cache_read', is_prompt: true, cost: null, tokens: 7, cost_per_token: null }),
  element({ token_type: 'output', is_prompt: false, cost: 2, tokens: 20, cost_per_token: 0.1 }),
];
const ATTRIBUTES = {
  user: { id: 'user-1' },
  metadata: { topic: 'billing', tier: 3, flag: true, 'a.b': 'joined' },
  llm: { messages: [{ role: 'system' }] },
};
const ANNOTATIONS = [
  { name: 'quality', score: 0.4, label: 'poor', explanation: null },
  { name: 'multi', score: 1, label: 'A', explanation: null },
  { name: 'multi', score: 0, label: 'B', explanation: null },
];

const SESSION: EntityView = {
  fields: {
    session_id: 'chat-one',
    first_input: 'Where is my refund?',
    last_output: null,
    duration_ms: 5000,
    start_time: T,
    end_time: T + 5_000_000_000n,
    num_traces: 3,
    num_traces_with_error: 1,
    token_count_prompt: 100,
    token_count_completion: 20,
    token_count_total: 120,
    total_cost: 3,
  },
  attributes: ATTRIBUTES,
  annotations: ANNOTATIONS,
  texts: { any_input: ['Where is my refund?', 'Thanks'], any_output: [] },
  collections: {
    spans: SPANS,
    traces: [
      element({ latency_ms: 100, start_time: T, end_time: T + 1n }, { collections: { spans: [ROOT, TOOL] } }),
      element({ latency_ms: 50, start_time: T + 2n, end_time: T + 3n }, { collections: { spans: [] } }),
    ],
    session_annotations: ANNOTATIONS.map(({ name, label, score }) => element({ name, label, score })),
    span_annotations: [],
    span_cost_details: COST_DETAILS,
  },
};

const TRACE: EntityView = {
  fields: {
    trace_id: 'abc',
    input: 'refund',
    output: null,
    latency_ms: 100,
    start_time: T,
    num_spans: 3,
    error_count: 1,
  },
  attributes: ATTRIBUTES,
  annotations: ANNOTATIONS,
  collections: {
    spans: SPANS,
    trace_annotations: [],
    span_annotations: [element({ name: 'quality', label: 'bad', score: 0.1 })],
    span_cost_details: COST_DETAILS,
  },
};

const SESSION_CONDITIONS: Readonly<Record<string, boolean>> = {
  'num_traces > 2 and any(s.status_code == "ERROR" for s in spans)': true,
  '\'REFUND\' in any_input and session_annotations["quality"].score < 0.5': true,
  'any(any(s.span_kind == "TOOL" for s in t.spans) for t in traces)': true,
  'all(any(s.span_kind == "TOOL" for s in t.spans) for t in traces)': false,
  'sum(d.tokens for d in span_cost_details if d.token_type == "cache_read") > 0': true,
  'sum(d.cost for d in span_cost_details) == 3': true,
  'sum(d.tokens for d in span_cost_details if d.is_prompt) == 107': true,
  'any(not d.is_prompt for d in span_cost_details)': true,
  'any(d.is_prompt == False for d in span_cost_details)': true,
  'max(s.latency_ms for s in spans) == 100 and min(s.latency_ms for s in spans) == 40': true,
  'max(a.score for a in span_annotations) is None': true,
  'max(a.score for a in span_annotations) > 0': false,
  'not max(a.score for a in span_annotations) > 0': false,
  'sum(a.score for a in span_annotations) == 0': true,
  'len([s for s in spans if s.status_code == "OK"]) == 2 and len([s for s in spans]) == 3': true,
  'len([a for a in span_annotations]) == 0': true,
  'all(a.score > 1 for a in span_annotations)': true,
  'all(s.latency_ms > 0 for s in spans)': false,
  'all(s.latency_ms > 0 for s in spans if s.latency_ms is not None)': true,
  'not any(s.latency_ms < 0 for s in spans)': true,
  "'x' in any_output": false,
  "'x' not in any_output": true,
  "'x' not in last_output": false,
  "'refund' in first_input": true,
  'last_output is None and session_id != "x"': true,
  'start_time >= "2026-03-02T08:00:00Z" and end_time < "2026-03-02T10:00:06+02:00"': true,
  'start_time < end_time': true,
  'user.id == "user-1" and attributes["user"]["id"] == "user-1" and attributes["user.id"] == "user-1"': true,
  'metadata["topic"] == "billing" and attributes["metadata.topic"] == "billing"': true,
  'metadata["a"]["b"] == "joined" and metadata["a.b"] == "joined"': true,
  'metadata["tier"] > 2 and metadata["tier"] == "3" and metadata["flag"] == True': true,
  'metadata["tier"] in [3, 4] and metadata["topic"] in ("billing", "x") and num_traces not in [1, -2]': true,
  'float(metadata["tier"]) * 2 + 1 == 7 and str(metadata["tier"]) == "3"': true,
  'attributes["llm"]["messages"][0]["role"] == "system" and attributes["llm.messages.0.role"] == "system"': true,
  '"bill" in metadata["topic"] and metadata["no"] is None': true,
  'metadata["no"] != "x"': false,
  'session_annotations["quality"] and not session_annotations["no"]': true,
  'session_annotations["multi"].label == "B" and session_annotations["multi"].score == 0': true,
  'session_annotations["multi"].label == "B" and session_annotations["multi"].score == 1': false,
  'any(a.name == "quality" and a.label == "poor" for a in session_annotations)': true,
  '-duration_ms < 0 and duration_ms / 0 is None and 1 < num_traces <= 3': true,
  'total_cost / num_traces == 1 and token_count_total % 7 == 1': true,
  '(num_traces > 1) == True': true,
};

const TRACE_CONDITIONS: Readonly<Record<string, boolean>> = {
  'error_count > 0 and latency_ms > 10': true,
  'any(s.parent_span is not None and s.parent_span.span_kind == "AGENT" for s in spans)': true,
  '"REFUND" in input and trace_annotations["quality"].label == "poor"': true,
  'any(s.parent_id is not None and s.parent_span is None for s in spans)': true,
  'len([s for s in spans if s.parent_span == None]) == 2': true,
  'any(any(c.latency_ms < s.latency_ms for c in s.children) for s in spans)': true,
  'any(any(c.latency_ms > s.latency_ms for c in s.children) for s in spans)': false,
  'any(any(o.start_time > s.start_time for o in spans) for s in spans)': true,
  'any(any(a.label == "bad" for a in s.annotations) and s.span_kind == "LLM" for s in spans)': true,
  'any(sum(d.tokens for d in s.cost_details) == 10 for s in spans)': true,
  'max(s.start_time for s in spans) > "2026-03-02T08:00:00.000000008Z"': true,
  'max(s.start_time for s in spans) > start_time': true,
  'user.id == "user-1"': true,
};

const NOT_A_CONDITION =
  'is not a condition: a filter condition compares values, quantifies over a collection, or combines those with and/or/not';

const SESSION_REFUSED: Readonly<Record<string, string>> = {
  num_traces: `\`num_traces\` ${NOT_A_CONDITION}`,
  'True and num_traces > 1': `\`True\` ${NOT_A_CONDITION}`,
  'sum(s.latency_ms for s in spans)': `\`sum(s.latency_ms for s in spans)\` ${NOT_A_CONDITION}`,
  any_input: `\`any_input\` ${NOT_A_CONDITION}`,
  'num_trace > 1': 'invalid name `num_trace`, did you mean "num_traces"?',
  'Session_id == "x"': 'invalid name `Session_id`, did you mean "session_id"?',
  'hello == 1': 'invalid name `hello`',
  'constructor == 1': 'invalid name `constructor`',
  'session_id.x == 1': 'invalid name `session_id.x`, did you mean "session_id"?',
  'user.name == "x"': 'invalid name `user`',
  'annotations["q"].score > 1': 'invalid name `annotations`, use `session_annotations["name"]` or `span_annotations`',
  'any(s.latency > 1 for s in spans)': 'invalid name `s.latency`, did you mean "s.latency_ms"?',
  'any(s.parent_id is None for s in spans)': 'invalid name `s.parent_id`',
  'any(s > 1 for s in traces)':
    '`s` is an element, name one of its fields: `s.start_time`, `s.end_time`, `s.latency_ms`',
  'any(s.latency_ms > 1 for s in span)': 'invalid name `span`, did you mean "spans"?',
  'any(s.latency_ms > 1 for s in "x")':
    '`"x"` is not a collection, expected one of spans, traces, session_annotations, span_annotations, span_cost_details',
  'any(num_traces > 1 for s in spans)':
    '`num_traces` cannot be read inside a comprehension, which reads only fields of `s`',
  'any(any(t.latency_ms > 1 for s in t.spans) for t in traces)':
    "`t.latency_ms` is read inside a comprehension over `s`, which reads only its own element's fields",
  'any(any(s.latency_ms > 1 for s in spans) for t in traces)': '`spans` cannot be nested in another comprehension',
  'num_traces == "3"': 'cannot compare `num_traces` (a number) with `"3"` (text)',
  'session_id == 3': 'cannot compare `session_id` (text) with `3` (a number)',
  'start_time == metadata["t"]': 'cannot compare `start_time` (a timestamp) with `metadata["t"]` (an attribute value)',
  'num_traces == (num_traces > 1)': 'cannot compare `num_traces` (a number) with `num_traces > 1` (a condition)',
  'num_traces < None': 'cannot compare `num_traces` (a number) with `None` (None)',
  'any_input == "x"': 'cannot compare `any_input` (text that can only be searched with `in`) with `"x"` (text)',
  'session_id == ["x"]': 'cannot compare `session_id` (text) with `["x"]` (a collection)',
  'session_id < "x"': '`<` does not order text',
  'metadata["k"] >= "x"': '`>=` does not order text',
  'metadata["k"] > True': '`>` does not order conditions',
  'session_id is "x"': '`session_id is "x"` uses `is` with a value; `is` only tests for None, use `==`',
  'metadata["k"] is True': '`metadata["k"] is True` uses `is` with a value; `is` only tests for None, use `==`',
  'start_time > "2026-01-01T00:00:00"':
    "datetime literal '2026-01-01T00:00:00' has no timezone, add an offset (e.g. 'Z' for UTC)",
  'metadata["k"] + 1 > 2':
    '`metadata["k"]` is an attribute value, but arithmetic needs numbers, write `float(metadata["k"])`',
  'session_id + "x" == "y"': '`session_id` is text, but arithmetic needs numbers',
  'int(metadata["k"]) > 1': '`int(metadata["k"])` uses `int`, use `float` instead',
  'float(num_traces) > 1': '`float(num_traces)` converts a number, but `float` is only for attribute values',
  'len(spans) > 1': '`len(spans)` is not of the form `len([v for v in spans if ...])`',
  'any([s.latency_ms > 1 for s in spans])':
    '`any([s.latency_ms > 1 for s in spans])` is not of the form `any(... for v in spans)`',
  'len([s.name for s in spans]) > 1': '`len([s.name for s in spans])` counts elements, write `len([s for s in ...])`',
  'max(s.name for s in spans) == "x"': '`max` does not reduce text: `s.name`',
  'max(t.start_time for t in traces) > start_time': '`max` does not reduce a timestamp: `t.start_time`',
  'session_id in first_input': '`session_id` is not a string literal, which is all that `in` searches for in a text',
  '"x" in num_traces': '`in` expects a list or text on the right, got `num_traces` (a number)',
  'session_id in ["x", 1]': '`session_id in ["x", 1]` mixes types in its list',
  'session_id in ["x", None]': '`None` never matches in a list, test for it with `is None`',
  'session_id in [first_input]': '`first_input` is not a string or a number, which is all that a list may hold',
  'session_id in [1]': 'cannot compare `session_id` (text) with `1` (a number)',
  'start_time in ["2026-01-01T00:00:00Z"]':
    'cannot compare `start_time` (a timestamp) with `["2026-01-01T00:00:00Z"]` (a collection)',
  '"x" in ["x"]': '`"x" in ["x"]` compares two literals',
  'attributes == 1': '`attributes` is not of the form `attributes["key"]`',
  'attributes.k == 1': '`attributes.k` is not of the form `attributes["key"]`',
  'session_annotations.q > 1': '`session_annotations.q` is not of the form `session_annotations["name"]`',
  'session_annotations["q"].scores > 1':
    'invalid attribute in `session_annotations["q"].scores`, did you mean `.score`?',
  'session_annotations["q"] > 1': 'cannot compare `session_annotations["q"]` (an annotation) with `1` (a number)',
  'foo(1) == 1': 'invalid expression: foo(1)',
  'num_traces ** 2 > 1': 'unsupported operator: num_traces ** 2',
  '[s for s in spans]': 'invalid expression: [s for s in spans]',
  'num_traces >': 'unexpected end at character 13',
};

const TRACE_REFUSED: Readonly<Record<string, string>> = {
  'session_id == "x"': 'invalid name `session_id`',
  'any(any(any(x.latency_ms > 1 for x in spans) for o in spans) for s in spans)':
    '`spans` cannot be nested in another comprehension',
  'any(any(any(any(d.latency_ms > 1 for d in c.children) for c in b.children) for b in a.children) for a in spans)':
    'filter condition is nested too deeply',
  'any(s.parent_span.parent_span.name == "x" for s in spans)': 'invalid name `s.parent_span.parent_span.name`',
  'any(s.parent_span for s in spans)': `\`s.parent_span\` ${NOT_A_CONDITION}`,
  'any(s.parent_span == "x" for s in spans)': 'cannot compare `s.parent_span` (a span) with `"x"` (text)',
};

for (const [parse, entity, conditions, refused] of [
  [parseSessionFilter, SESSION, SESSION_CONDITIONS, SESSION_REFUSED],
  [parseTraceFilter, TRACE, TRACE_CONDITIONS, TRACE_REFUSED],
] as const) {
  describe(`a ${parse === parseSessionFilter ? 'session' : 'trace'} filter`, () => {
    for (const [text, matches] of Object.entries(conditions)) {
      test(`${matches ? 'matches' : 'does not match'}: ${text}`, () => {
        const filter = parse(text)!;

        assert.equal(matchesEntity(filter, entity), matches);
        assert.deepEqual(parse(formatFilter(filter.expression))!.condition, filter.condition);
      });
    }

    for (const [text, message] of Object.entries(refused)) {
      test(`is rejected with its reason: ${text}`, () => {
        assert.throws(() => parse(text), { message, code: 'FILTER_INVALID' });
      });
    }

    test('is absent for a blank text', () => assert.equal(parse(' \n'), undefined));

    test('returns a filter or throws a FilterError for any mixture of its words', () => {
      const { fields, containment, annotations, collections } =
        parse === parseSessionFilter ? SESSION_VOCABULARY : TRACE_VOCABULARY;
      const words = [
        ...Object.keys(fields),
        ...containment,
        ...Object.keys(collections),
        `${annotations}["q"]`,
        ...'and or not in is None True == < + - ( ) [ ] , any( all( sum( len([ s s.name s.parent_span s.latency_ms for s in spans if ) ]) float( metadata["k"] 1'.split(
          ' ',
        ),
        ...TEXTS.map((text) => JSON.stringify(text)),
      ];
      for (let seed = 1; seed <= 10_000; seed++) {
        const random = randomFrom(seed);
        const text = Array.from({ length: 1 + random.below(8) }, () => random.pick(words)).join(' ');
        try {
          const filter = parse(text);
          if (filter) matchesEntity(filter, entity);
        } catch (error) {
          if (!(error instanceof FilterError)) throw new Error(`seed ${seed}: ${text}`, { cause: error });
        }
      }
    });
  });
}

describe('a warning about annotation names', () => {
  test('reports that the project has none', () => {
    assert.deepEqual(annotationWarnings('session', ['x'], []), [
      "unknown annotation name 'x' — this project has no session annotations",
    ]);
  });

  test('lists the five closest names, and the number of others', () => {
    const observed = ['helpful', 'quality', 'zeta', 'alpha', 'beta', 'gamma', 'qualities'];

    assert.deepEqual(annotationWarnings('trace', ['qualty', 'helpful'], observed), [
      "unknown annotation name 'qualty' — closest observed names: 'quality', 'qualities', 'alpha', 'helpful', 'beta' (2 more not shown)",
    ]);
  });
});
