import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BUILT_IN_DASHBOARDS } from '../../../src/domain/dashboards/built-in-dashboards.ts';
import { parsePanels } from '../../../src/domain/dashboards/parse-panels.ts';

const COUNT = { id: 'a', kind: 'figure', metric: 'spans', aggregates: ['count'] };

/** The whole message of the rejection. */
function messageOf(panels: unknown, version = 1): string {
  try {
    parsePanels(panels, version);
  } catch (error) {
    return (error as Error).message;
  }
  return assert.fail('the panels were accepted');
}

describe('the panels of a dashboard', () => {
  test('get defaults, and keep their own values', () => {
    assert.deepEqual(parsePanels([{ ...COUNT, id: undefined }], 1), [
      {
        ...COUNT,
        ...{ id: 'panel-1', title: '', annotationName: null, filter: '', groupBy: null, groupCount: 8 },
        ...{ style: 'lines', columns: 1 },
      },
    ]);
    for (const { panels } of BUILT_IN_DASHBOARDS) {
      assert.deepEqual(parsePanels(JSON.parse(JSON.stringify(panels)), 1), panels);
    }
  });

  test('are rejected with the panel, the field, and what was expected and received', () => {
    assert.equal(
      messageOf([
        COUNT,
        { ...COUNT, id: 'b', title: 'Cost', metric: 'dollars', columns: 9 },
        { ...COUNT, id: 'c', filter: 'latency >', colour: 'red' },
      ]),
      [
        'Panel 2 ("Cost"): metric must be one of traces, spans, errors, errorRate, latency, tokens, promptTokens, completionTokens, cost, annotation, and is "dollars"',
        'Panel 2 ("Cost"): columns must be an integer from 1 to 4, and is 9',
        'Panel 3: "colour" is not a field of a panel',
        'Panel 3: filter is not valid: unexpected end at character 10',
      ].join('\n'),
    );
    assert.equal(messageOf({}), 'panels must be a list, and is {}');
    assert.equal(messageOf([], 2), 'The version must be 1, and is 2');
    assert.equal(messageOf([null]), 'Panel 1 must be an object, and is null');
    assert.match(messageOf([COUNT, COUNT]), /^Panel 2: id must be unique, and "a" is used twice$/);
    assert.match(messageOf(Array.from({ length: 41 }, () => COUNT)), /at most 40 panels, not 41/);
    assert.match(messageOf([{ ...COUNT, id: '../x' }]), /id must be of 1 to 40 letters/);
    assert.match(messageOf([JSON.parse('{"__proto__": {"kind": "figure"}}')]), /"__proto__" is not a field/);
  });

  test('are rejected if their fields have no meaning together', () => {
    const issueOf = (panel: object) => messageOf([{ ...COUNT, ...panel }]).replace(/^Panel 1: /, '');
    const byModel = { groupBy: { column: 'model' } };

    assert.equal(issueOf({ metric: 'latency' }), 'aggregates must be a valid aggregate of latency, and is "count"');
    assert.equal(issueOf(byModel), 'a figure has no groupBy');
    assert.equal(issueOf({ kind: 'list' }), 'a list needs a groupBy');
    assert.match(issueOf({ groupBy: { attribute: 'metadata' } }), /^groupBy must be null, .* and is/);
    assert.match(issueOf({ groupBy: { column: 'model', attribute: 'a' } }), /^groupBy must be null/);
    const series = { kind: 'series', metric: 'latency', aggregates: ['p50', 'p99'] };
    assert.match(issueOf({ ...series, style: 'bars' }), /^stacked bars need/);
    assert.equal(issueOf({ ...series, ...byModel }), 'a panel with groups has one aggregate');
    assert.equal(issueOf({ ...series, kind: 'figure' }), 'a figure has one aggregate');
    assert.match(issueOf({ metric: 'annotation', aggregates: ['mean'] }), /^the metric annotation needs/);
    assert.match(issueOf({ annotationName: 'x' }), /^only the metric annotation has/);
    assert.match(issueOf({ ...series, aggregates: ['p50'], groupBy: { column: 'annotation' } }), /^only the metric/);
  });
});
