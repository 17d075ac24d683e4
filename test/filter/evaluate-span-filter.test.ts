import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import { evaluateCondition, matchesSpan } from '../../src/filter/spans/evaluate-span-filter.ts';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import type { SpanFilter } from '../../src/filter/spans/span-filter.ts';
import type { AnnotationView, SpanView } from '../../src/filter/spans/span-view.ts';
import { formatFilter } from '../../src/filter/syntax/format-filter.ts';
import { randomFilterText, randomFrom, randomSpan } from './random-filters.ts';

const parse = (text: string): SpanFilter => parseSpanFilter(text) ?? assert.fail(`no filter: ${text}`);

const annotation = (name: string, row: Partial<AnnotationView> = {}): AnnotationView => ({
  name,
  score: null,
  label: null,
  explanation: null,
  ...row,
});

const ATTRIBUTES = `{
  "llm": {"model_name": "gpt-4o", "token_count": {"prompt": 100, "completion": "20"}},
  "input": {"value": "Where is my REFUND? 100% of it_all"},
  "metadata": {"flag": true, "off": "FALSE", "one": 1, "tier": 3, "text": "17", "nothing": null, "list": ["a", {"b": 2.50}],
    "a.b": "dotted", "exact": 9007199254740993, "wide": 1e5, "nested": {"deep": {"n": 30}}, "huge": 1e999},
  "tag": {"tags": ["vip", "eu"]},
  "zero": 0,
  "empty": "",
  "größe": "L"
}`;

const SPAN: SpanView = {
  spanId: '00000000000000aa',
  traceId: '000000000000000000000000000000bb',
  parentId: null,
  hasParentSpan: false,
  hasErrorInTrace: true,
  name: 'agent',
  spanKind: 'LLM',
  statusCode: 'ERROR',
  statusMessage: 'Disk Full',
  startTimeUnixNano: 1_772_438_400_000_000_001n, // 2026-03-02T08:00:00.000000001Z
  endTimeUnixNano: 1_772_438_401_500_000_001n,
  cumulativeTokensPrompt: 390,
  cumulativeTokensCompletion: 66,
  attributes: parseExactJson(ATTRIBUTES, { depthMax: 100 }),
  annotations: [
    annotation('quality', { score: 0.6, label: 'good', explanation: 'Because 3' }),
    annotation('multi', { score: 1, label: 'A' }),
    annotation('multi', { score: 0, label: 'B' }),
    annotation('bare'),
  ],
  traceAnnotations: [annotation('helpful', { score: 2, label: 'yes' })],
};

/** Result of each condition for the span above; `null` is missing. */
const CONDITIONS: Readonly<Record<string, boolean | null>> = {
  // Fields.
  error_in_trace: true,
  'not error_in_trace': false,
  'error_in_trace == True': true,
  'error_in_trace is False': false,
  "attributes['error_in_trace'] is None": true,
  "name == 'agent'": true,
  "name == 'Agent'": false,
  "'agent' == name": true,
  "name < 'agenu' and name > 'agens'": true,
  "span_kind == 'llm'": true,
  "'Llm' != span_kind": false,
  "status_code in ['ok', 'error']": true,
  "span_id == '00000000000000aa' and context.trace_id == '000000000000000000000000000000bb'": true,
  "parent_id == 'x'": null,
  "parent_id != 'x'": null,
  "not parent_id == 'x'": null,
  'parent_id is None and None == parent_id and not parent_id is not None': true,
  'parent_id != None': false,
  'parent_span is None': true,
  'None != parent_span': false,
  'latency_ms == 1500': true,
  '1000 < latency_ms <= 1500': true,
  '1000 < latency_ms < 1500': false,
  'cumulative_token_count.total == 456 and cumulative_llm_token_count_completion == 66': true,
  "start_time == '2026-03-02T08:00:00.000000001Z'": true,
  "start_time > '2026-03-02T10:00:00+02:00'": true,
  "start_time in ['2026-03-02 08:00:00Z', '2026-03-02T08:00:00.000000001+0000']": true,
  'start_time < end_time': true,
  "'0001-01-01T00:00:00Z' < start_time < '9999-12-31T00:00:00Z'": true,
  // Attributes by the type of the other operand.
  "llm.model_name == 'gpt-4o'": true,
  "attributes['llm']['model_name'] == 'gpt-4o'": true,
  "attributes[['llm', 'model_name']] == 'gpt-4o'": true,
  "attributes.llm.model_name == 'gpt-4o'": true,
  "attributes[('llm', 'model_name')] == 'gpt-4o'": true,
  "attributes['llm.model_name'] is None": true,
  "metadata['a.b'] == 'dotted'": true,
  'metadata.a.b is None': true,
  "metadata['nested'].deep['n'] == 30": true,
  "attributes['größe'] == 'L'": true,
  'llm.token_count.prompt == 100 and llm.token_count.completion == 20': true,
  'llm.token_count.total > 0': null,
  'llm.token_count.total is None': true,
  "metadata['tier'] == 3 and metadata['tier'] == '3' and metadata['tier'] < 17": true,
  "metadata['text'] == 17 and metadata['text'] == '17' and float(metadata['text']) > 16.5": true,
  "metadata['flag'] == True and metadata['flag'] is True and metadata['flag'] == 'true'": true,
  "metadata['flag'] == False": false,
  "metadata['flag'] is not True": false,
  "metadata['off'] == False and metadata['one'] == True and zero is False": true,
  "metadata['tier'] == True": null,
  "metadata['tier'] is not True": null,
  "metadata['no'] is True": null,
  "metadata['flag'] > 0": null,
  "metadata['nothing'] is None and metadata['nothing'] == None and metadata['no'] is None": true,
  "metadata['nothing'] == 'null'": null,
  'metadata is not None and metadata.nested is not None': true,
  "zero == 0 and zero is not None and empty == '' and empty is not None": true,
  "metadata['list'][0] == 'a' and metadata['list'][1]['b'] == 2.5": true,
  "metadata['list']['0'] is None and metadata['list'][7] is None and metadata[0] is None": true,
  "metadata['list'] == '[\"a\",{\"b\":2.50}]' and metadata['wide'] == '1e5' and metadata['wide'] == 100000": true,
  "metadata['exact'] == '9007199254740993' and metadata['exact'] == 9007199254740992": true,
  "metadata['huge'] > 0": null,
  "metadata['huge'] is not None": true,
  'llm.model_name > 0': null,
  "metadata['text'] > metadata['tier']": true,
  "metadata['text'] == metadata['tier']": false,
  "metadata['tier'] in [1, 3]": true,
  "metadata['tier'] in ['1', '3']": true,
  "metadata['tier'] in (True, False)": null,
  "metadata['flag'] in (True, False)": true,
  "metadata['no'] not in ['x']": null,
  "metadata['no'] in []": null,
  'name in []': false,
  'name not in ()': true,
  "name in [metadata['no'], 'agent']": true,
  "name in [metadata['no'], 'x']": null,
  "'agent' in [name, status_message]": true,
  // Containment.
  "'disk full' in status_message and 'DISK' in status_message": true,
  "'refund' in input.value and '100%' in input.value and 't_a' in input.value": true,
  "'%' in name or 'a_e' in name": false,
  "'' in name": true,
  "'x' not in name": true,
  "'x' in metadata['no']": null,
  "'x' not in metadata['no']": null,
  "'vip' in tag.tags and metadata['text'] in input.value + '17'": true,
  "name in 'the Agent'": true,
  "'because' in annotations['quality'].explanation": true,
  // Arithmetic and casts.
  'llm.token_count.prompt + llm.token_count.completion == 120': true,
  "metadata['tier'] + metadata['text'] == 20": true,
  'latency_ms / 0 > 1': null,
  'latency_ms % 0 == 0': null,
  'latency_ms * 1e308 > 0': null,
  '-latency_ms % 1000 == -500 and +latency_ms == 1500 and - -latency_ms == 1500': true,
  '(latency_ms + 2) * 10 - 20 == 15000 and latency_ms / 1000 == 1.5': true,
  "name + '-' + llm.model_name == 'agent-gpt-4o' and 'x' + metadata['tier'] == 'x3'": true,
  "str(metadata['tier']) == '3' and int(metadata['text']) == 17 and int(2.5) == 2.5 and float('17') == 17": true,
  'float(llm.model_name) > 0': null,
  "str(metadata['no']) is None and float(llm.model_name) is None": true,
  // Annotations.
  "annotations['quality'].score >= 0.5 and evals['quality'].label == 'good'": true,
  "annotations['quality'] and annotations['bare'] and not annotations['no']": true,
  "annotations['quality'] is not None and annotations['no'] is None": true,
  "(annotations['quality']) == True and annotations['no'] != annotations['bare']": true,
  "annotations['bare'].score is None and annotations['no'].label is None": true,
  "annotations['no'].score > 0": null,
  "trace_annotations['helpful'].label == 'yes' and not annotations['helpful']": true,
  // Logic with missing values.
  "parent_id == 'x' or name == 'agent'": true,
  "parent_id == 'x' and name == 'no'": false,
  "parent_id == 'x' and name == 'agent'": null,
  'not not (name == name)': true,
  'True and not False': true,
  'None or True': true,
  'None and True': null,
  'not None': null,
  "(name == 'agent') == (latency_ms > 1) and (parent_id == 'x') is None": true,
  '1 == 1 and 2 > 1': true,
};

describe('a condition', () => {
  for (const [text, expected] of Object.entries(CONDITIONS)) {
    test(`is ${expected ?? 'missing'}: ${text}`, () => {
      const choice = new Map<string, AnnotationView>();
      for (const row of SPAN.annotations) choice.set(`span ${row.name}`, row);
      for (const row of SPAN.traceAnnotations) choice.set(`trace ${row.name}`, row);

      assert.equal(evaluateCondition(parse(text).condition, SPAN, choice), expected);
      assert.equal(matchesSpan(parse(text), SPAN), expected === true);
    });
  }
});

describe('several annotations of one name', () => {
  for (const [text, matches] of [
    ["annotations['multi'].label == 'A'", true],
    ["annotations['multi'].label == 'B'", true],
    ["annotations['multi'].label == 'A' and annotations['multi'].score == 1", true],
    ["annotations['multi'].label == 'A' and annotations['multi'].score == 0", false],
    ["annotations['multi'].label == 'A' and evals['multi'].label == 'B'", false],
    ["annotations['multi'].score == 0 and annotations['quality'].score > 0.5", true],
    ["not annotations['multi'].score == 0", true],
    ["not annotations['multi']", false],
  ] as const) {
    test(`${matches ? 'match' : 'do not match'}: ${text}`, () => {
      assert.equal(matchesSpan(parse(text), SPAN), matches);
    });
  }

  test('count once in a filter, under any of their names', () => {
    const { annotations } = parse("annotations['q'] and evals['q'].score > 1 and trace_annotations['q'].score > 1");

    assert.deepEqual(annotations, [
      { scope: 'span', name: 'q' },
      { scope: 'trace', name: 'q' },
    ]);
  });
});

describe('random filters and spans', () => {
  const LAWS: readonly (readonly [
    law: string,
    left: (a: string, b: string) => string,
    right: (a: string, b: string) => string,
  ])[] = [
    ['not not', (a) => `not not ${a}`, (a) => a],
    ['de Morgan', (a, b) => `not (${a} and ${b})`, (a, b) => `not ${a} or not ${b}`],
    ['order of operands', (a, b) => `${a} or ${b}`, (a, b) => `${b} or ${a}`],
    ['and True', (a) => `${a} and True`, (a) => a],
    ['or False', (a) => `${a} or False`, (a) => a],
    ['absorption', (a, b) => `${a} or (${a} and ${b})`, (a) => a],
    ['distribution', (a, b) => `${a} and (${b} or ${a})`, (a) => a],
    ['as a value', (a) => `(${a}) == True`, (a) => a],
    ['missing', (a) => `(${a}) is None`, (a) => `not ((${a}) is not None)`],
  ];

  /** The same selection of annotation rows for all: the first of each. */
  const evaluate = (text: string, span: SpanView): boolean | null => {
    const choice = new Map<string, AnnotationView>();
    for (const row of span.annotations) choice.set(`span ${row.name}`, row);
    for (const row of span.traceAnnotations) choice.set(`trace ${row.name}`, row);
    return evaluateCondition(parse(text).condition, span, choice);
  };

  test('obey the laws of three-valued logic', () => {
    const seen = new Set<boolean | null>();
    for (let seed = 1; seed <= 3_000; seed++) {
      const random = randomFrom(seed);
      const a = `(${randomFilterText(random, 2)})`;
      const b = `(${randomFilterText(random, 1)})`;
      const span = randomSpan(random);
      const [law, left, right] = LAWS[seed % LAWS.length]!;

      const result = evaluate(left(a, b), span);

      assert.equal(result, evaluate(right(a, b), span), `${law}, seed ${seed}: ${a} ${b}`);
      seen.add(result);
    }
    assert.deepEqual(seen, new Set([true, false, null]));
  });

  test('mean the same after formatting', () => {
    let matchCount = 0;
    for (let seed = 1; seed <= 3_000; seed++) {
      const random = randomFrom(seed);
      const filter = parse(randomFilterText(random, 3));
      const again = parse(formatFilter(filter.expression));
      const span = randomSpan(random);

      assert.deepEqual(again.condition, filter.condition, `seed ${seed}: ${filter.text}`);
      assert.equal(matchesSpan(again, span), matchesSpan(filter, span), `seed ${seed}: ${filter.text}`);
      if (matchesSpan(filter, span)) matchCount++;
    }
    assert.ok(matchCount > 300, `${matchCount} matches`);
  });

  test('agree between a list and its elements, a link and its mirror, a chain and its links', () => {
    for (let seed = 1; seed <= 2_000; seed++) {
      const random = randomFrom(seed);
      const span = randomSpan(random);
      const value = random.pick(['name', "str(metadata['k'])", 'llm.model_name', "annotations['quality'].label"]);
      const number = random.pick(['latency_ms', 'zero', "metadata['k']", "evals['quality'].score"]);
      for (const [left, right] of [
        [`${value} in ['a', '17']`, `${value} == 'a' or ${value} == '17'`],
        [`${value} not in ['a', '17']`, `not ${value} in ['a', '17']`],
        [`'a' not in ${value}`, `not ('A' in ${value})`],
        [`${value} < 'a'`, `'a' > ${value}`],
        [`0 < float(${number}) <= 17`, `float(${number}) > 0 and not float(${number}) > 17`],
        [`${number} != 17.0`, `not ${number} == 17`],
      ] as const) {
        if (left.includes("float(evals['quality']") && left.includes('label')) continue;
        assert.equal(evaluate(left, span), evaluate(right, span), `seed ${seed}: ${left}`);
      }
    }
  });
});
