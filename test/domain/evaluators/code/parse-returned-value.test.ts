import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExactJson } from '../../../../src/base/exact-json.ts';
import { parseExactJson } from '../../../../src/base/parse-exact-json.ts';
import type { OutputConfig } from '../../../../src/model/evaluators/evaluator.ts';
import { parseReturnedValue } from '../../../../src/domain/evaluators/code/parse-returned-value.ts';

const common = { description: null, optimizationDirection: 'MAXIMIZE' as const };
const quality: OutputConfig = {
  ...common,
  type: 'CATEGORICAL',
  name: 'quality',
  values: [
    { label: 'good', score: 1 },
    { label: 'bad', score: 0 },
    { label: 'True', score: null },
  ],
};
const share: OutputConfig = { ...common, type: 'CONTINUOUS', name: 'share', lowerBound: 0, upperBound: 1 };
const note: OutputConfig = {
  ...common,
  type: 'FREEFORM',
  name: 'note',
  threshold: null,
  lowerBound: null,
  upperBound: null,
};

/** `label score explanation`, or the error. */
const resultsOf = (json: string, ...configs: OutputConfig[]): (string | null)[] => {
  const value: ExactJson = parseExactJson(json, { depthMax: 9 });
  return parseReturnedValue(value, configs).map(
    ({ label, score, explanation, error }) => error ?? `${label} ${score} ${explanation}`,
  );
};

test('a returned value becomes the result of an output as the contract specifies', () => {
  const cases: readonly (readonly [string, OutputConfig, string | RegExp])[] = [
    ['"good"', quality, 'good 1 null'],
    ['{"label":"good","score":1,"explanation":"why"}', quality, 'good 1 why'],
    ['{"label":"good","score":1.0}', quality, 'good 1 null'],
    ['{"label":"good","score":0.5}', quality, /the score 1, but evaluate returned 0.5/],
    ['{"label":"True","score":0.5}', quality, 'True 0.5 null'],
    ['true', quality, 'True null null'],
    ['"other"', quality, /^The label 'other' is not one of the output 'quality': 'good', 'bad', 'True'$/],
    ['false', quality, /^The label 'False' is not/],
    ['null', quality, "The output 'quality' needs a label"],
    ['1', quality, "The output 'quality' needs a label"],
    ['{"score":1}', quality, "The output 'quality' needs a label"],
    ['{"label":1}', quality, /label .* must be a string/],
    ['0.5', share, 'null 0.5 null'],
    ['{"score":1,"label":"x"}', share, 'x 1 null'],
    ['1.5', share, /above 1, its upper bound/],
    ['-0.1', share, /below 0, its lower bound/],
    ['1e999', share, /needs a number/],
    ['true', share, /needs a number/],
    ['{"score":true}', share, /score .* must be a number/],
    ['"good"', share, /needs a number/],
    ['null', note, 'null null null'],
    ['"text"', note, 'text null null'],
    ['12', note, 'null 12 null'],
    ['{"explanation":1}', note, /explanation .* must be a string/],
    ['[]', note, /returned a list/],
    ['{"label":"x","extra":1}', note, /unknown key 'extra'/],
    ['{"__proto__":{"label":"x"}}', note, /unknown key '__proto__'/],
    ['{"constructor":"x"}', note, /unknown key 'constructor'/],
  ];
  for (const [json, config, expected] of cases) {
    const [result] = resultsOf(json, config);
    if (typeof expected === 'string') assert.equal(result, expected, json);
    else assert.match(result ?? '', expected, json);
  }
});

test('with several outputs an object with all names gives each its value, and any other value is that of all', () => {
  assert.deepEqual(resultsOf('{"quality":"good","share":0.5,"explanation":"both"}', quality, share), [
    'good 1 both',
    'null 0.5 both',
  ]);
  assert.deepEqual(
    resultsOf('{"quality":{"label":"bad","explanation":"own"},"share":0.5,"explanation":"both"}', quality, share),
    ['bad 0 own', 'null 0.5 both'],
  );
  assert.deepEqual(resultsOf('{"label":"good","score":1}', quality, share), ['good 1 null', 'good 1 null']);
  assert.deepEqual(resultsOf('{"quality":"nope","share":0.5}', quality, share).slice(1), ['null 0.5 null']);
  assert.match(resultsOf('{"quality":"good"}', quality, share)[0] ?? '', /unknown key 'quality'/);
  assert.match(resultsOf('{"quality":"good","share":1,"more":1}', quality, share)[0] ?? '', /unknown key 'more'/);
});
