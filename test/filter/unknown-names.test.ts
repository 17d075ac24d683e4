import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import { describeUnknownName, type UnknownName, unknownNames } from '../../src/filter/spans/unknown-names.ts';

function unknownIn(text: string, observed: readonly string[] = []): readonly UnknownName[] {
  const filter = parseSpanFilter(text);
  assert.ok(filter);
  return unknownNames(filter, observed);
}

describe('unknown names of a span filter', () => {
  test('are none for fields, attributes of OpenInference, their parts and observed attributes', () => {
    for (const text of [
      "span_kind == 'LLM' and context.trace_id != 'x' and cumulative_token_count.total > 1",
      "'refund' in input.value or attributes['llm']['model_name'] == 'm'",
      "metadata['tier']['name'] == 'paid' and llm.input_messages[0].message.role == 'user'",
      "annotations['q'].score > 1 and not evals['r'] and parent_span is None",
      'input is not None and llm.token_count is None',
    ]) {
      assert.deepEqual(unknownIn(text), [], text);
    }
    assert.deepEqual(unknownIn("tier == 'paid' and shop.order.id == 5", ['tier', 'shop.order.id']), []);
  });

  test('are named once, with the name that was meant', () => {
    const cases = [
      ['latency > 5', 'latency', true, 'latency_ms'],
      ["kind == 'LLM' or kind == 'TOOL'", 'kind', true, 'span_kind'],
      ["llm.modle_name == 'm'", 'llm.modle_name', false, 'llm.model_name'],
      ["attributes['statuscode'] == 'OK'", 'statuscode', false, 'status_code'],
      ["'x' in input", 'input', true, 'input.value'],
      ['not (float(shop.total) + 1 > 2 or (zzz is None))', 'shop.total', false, undefined],
      ['1 < tierr < 3', 'tierr', true, 'tier'],
    ] as const;
    for (const [text, name, isBare, meant] of cases) {
      assert.deepEqual(unknownIn(text, ['tier', 'zzz']), [{ name, isBare, meant }], text);
    }
  });

  test('are described with what to write instead', () => {
    assert.equal(
      describeUnknownName({ name: 'latency', isBare: true, meant: 'latency_ms' }),
      "unknown name 'latency' — it is not a field, and the newest spans of this project have no such attribute; did you mean 'latency_ms'?",
    );
  });
});
