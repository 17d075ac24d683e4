import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AGGREGATES_OF_METRIC, SPAN_METRICS } from '../../../src/model/spans/span-metric.ts';
import { findCombinationIssue } from '../../../src/domain/dashboards/panel-rules.ts';
import { freeName } from '../../../src/web/pages/dashboards/dashboard.ts';
import { changeOf, formatOf } from '../../../src/web/pages/dashboards/format-metric.ts';
import {
  describePanel,
  fitPanel,
  METRICS,
  movePanel,
  newPanel,
  type Panel,
} from '../../../src/web/pages/dashboards/panel.ts';
import { parseFile } from '../../../src/web/pages/dashboards/parse-file.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';

const panel = (changes: Partial<Panel>): Panel => ({ ...newPanel([]), ...changes });

describe('the logic of dashboards', () => {
  test('knows the aggregates that the server accepts', () => {
    for (const metric of SPAN_METRICS) {
      assert.deepEqual([...METRICS[metric].aggregates].sort(), [...AGGREGATES_OF_METRIC[metric]].sort(), metric);
    }
  });

  test('keeps the fields of a form valid together, whatever is chosen', () => {
    const random = new SeededRandom(7);
    const of = <Value>(values: readonly Value[]): Value => values[random.below(values.length)]!;
    let current = panel({});
    for (let step = 0; step < 2_000; step++) {
      const change: Partial<Panel> = of<Partial<Panel>>([
        { kind: of(['figure', 'series', 'list'] as const) },
        { metric: of(SPAN_METRICS), annotationName: null },
        { aggregates: [of(['count', 'sum', 'mean', 'p50', 'p99'] as const)] },
        { aggregates: ['p50', 'p99'] },
        { style: of(['lines', 'bars'] as const) },
        { groupBy: of([null, { column: 'model' }, { column: 'annotation' }, { attribute: 'metadata.x' }] as const) },
      ]);
      current = fitPanel({ ...current, ...change });
      // The form asks for the name of an annotation before it applies the panel.
      const isNameMissing = current.metric === 'annotation' && current.annotationName === null;
      const named = isNameMissing ? { ...current, annotationName: 'quality' } : current;
      assert.equal(findCombinationIssue(named), undefined, JSON.stringify(current));
      const possible = METRICS[current.metric].aggregates;
      assert.ok(
        current.aggregates.every((each) => possible.includes(each)),
        JSON.stringify(current),
      );
    }
  });

  test('describes a panel without a title', () => {
    assert.equal(
      describePanel(panel({ metric: 'cost', aggregates: ['sum'], groupBy: { column: 'model' } })),
      'Cost by model',
    );
    assert.equal(describePanel(panel({ metric: 'latency', aggregates: ['p50', 'p99'] })), 'P50, P99 of latency');
    assert.equal(
      describePanel(panel({ metric: 'spans', groupBy: { attribute: 'metadata.tenant' } })),
      'Spans by metadata.tenant',
    );
  });

  test('formats values by their metric, and changes with their direction', () => {
    assert.equal(formatOf(panel({ metric: 'errorRate', aggregates: ['mean'] }))(0.0543), '5.4 %');
    assert.equal(formatOf(panel({ metric: 'latency', aggregates: ['p95'] }))(1_500), '1.5s');
    assert.equal(formatOf(panel({ metric: 'annotation', aggregates: ['count'] }))(3), '3');
    const cost = panel({ metric: 'cost', aggregates: ['sum'] });
    assert.deepEqual(changeOf(cost, 3, 2), { text: '50 %', direction: 'up', isBad: true });
    assert.deepEqual(changeOf(cost, 1, 2), { text: '50 %', direction: 'down', isBad: false });
    assert.equal(changeOf(cost, 1, 0), undefined);
    assert.equal(changeOf(cost, null, 2), undefined);
    assert.equal(changeOf(panel({ metric: 'errorRate', aggregates: ['mean'] }), 0.1, 0.05)?.text, '5.0 points');
  });

  test('moves panels and finds free names', () => {
    const panels = ['a', 'b', 'c'].map((id) => panel({ id }));
    const order = (id: string, to: number) =>
      movePanel(panels, id, to)
        .map((each) => each.id)
        .join('');
    assert.deepEqual([order('a', 2), order('c', 0), order('b', 1), order('b', 9)], ['bca', 'cab', 'abc', 'abc']);
    assert.equal(freeName('A', [{ name: 'A' }]), 'A (copy)');
    assert.equal(freeName('A', [{ name: 'A (copy)' }]), 'A (copy 2)');
  });

  test('a file that is no dashboard is rejected in words', () => {
    const file = { kind: 'spandrel.dashboard', version: 1, name: 'n', panels: [] };
    assert.deepEqual(parseFile(`\uFEFF${JSON.stringify(file)}`), {
      name: 'n',
      description: '',
      version: 1,
      panels: [],
    });
    for (const [changes, message] of [
      [{ kind: 'other' }, /"kind" must be "spandrel.dashboard"/],
      [{ name: 3 }, /"name" must be a string/],
      [{ version: '1' }, /"version" must be an integer/],
      [{ panels: {} }, /"panels" must be a list/],
    ] as const) {
      assert.throws(() => parseFile(JSON.stringify({ ...file, ...changes })), message);
    }
    assert.throws(() => parseFile('{'), /is not JSON/);
    assert.throws(() => parseFile('null'), /is not an exported dashboard/);
  });
});
