import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { experimentFixtures } from '../graphql/experiment-fixtures.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&';

describe('files about a comparison of experiments', () => {
  let server: TestServer;
  let query: string;
  let ids: string[];
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp });
    const { createDataset, createExperiment } = experimentFixtures(server.ports);
    const dataset = await createDataset(12, (n) => ({ topic: n % 2 ? HOSTILE : '=1+1' }));
    const runs = (score: (n: number) => number) =>
      Array.from({ length: 12 }, (_, example) => ({ example, ms: 100, score: score(example), label: '=cmd|x' }));
    const made = [
      await createExperiment(
        dataset,
        '=base',
        runs(() => 0.5),
      ),
      await createExperiment(
        dataset,
        HOSTILE,
        runs((n) => n / 20).filter(({ example }) => example !== 3),
      ),
    ];
    await server.ports.experiments.writeRun(made[1]!, {
      ...{ exampleRowId: dataset.exampleIds[3]!, repetitionNumber: 1, output: 'null', traceId: null },
      ...{ startMicros: 0n, endMicros: 1n, error: `@boom ${HOSTILE}` },
    });
    ids = made.map((rowId) => toGlobalId('Experiment', rowId));
    query = ids.map((id) => `experiment_id=${encodeURIComponent(id)}`).join('&');
  });

  test('CSV has the rows that are seen, and no cell that a spreadsheet runs', async () => {
    const { status, type, text } = await server.call(
      'GET',
      `/v1/experiment_comparisons/csv?${query}&sort=score:accuracy`,
    );
    assert.equal(status, 200);
    assert.equal(type, 'text/csv');
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 13);
    assert.match(
      lines[0]!,
      /^example_id,external_id,position,splits,input,reference_output,repetition,1\. =base: output,/,
    );
    // The largest regression is the first example, 0.5 to 0.
    assert.match(lines[1]!, /,0,,"\{""n"":0\}",\{\},1,"\{""ms"":100\}",,100,,,,0\.5,"\{""ms"":100\}",,100,,,,0$/);
    assert.match(text, /,"'@boom /);
    for (const cell of text.split(/[,\n]/)) assert.doesNotMatch(cell, /^"?[=+@\t\r]/);
    const filtered = await server.call(
      'GET',
      `/v1/experiment_comparisons/csv?${query}&has_error=true&filter_experiment_id=${encodeURIComponent(ids[1]!)}`,
    );
    assert.equal(filtered.text.trimEnd().split('\n').length, 2);
  });

  test('the report is one file without scripts, with the summary, notices and the worst regressions', async () => {
    const { status, type, text } = await server.call(
      'GET',
      `/v1/experiment_comparisons/report?${query}&metadata_key=topic`,
    );
    assert.equal(status, 200);
    assert.match(type ?? '', /^text\/html/);
    assert.doesNotMatch(text, /<script|<img|onerror=alert\(1\)>"|https?:|javascript:/i);
    assert.match(text, /&lt;script&gt;/);
    assert.match(text, /Only the |failed in 1 of 12 runs/);
    assert.match(text, /<svg class="worse"/);
    assert.match(text, /Worse on accuracy by/);
    assert.match(text, /Largest regressions of &lt;script&gt;/);
    assert.match(text, /prefers-color-scheme: dark/);
    assert.match(text, /default-src 'none'/);
  });

  test('an invalid selection reports the expected value', async () => {
    const { status, text } = await server.call(
      'GET',
      `/v1/experiment_comparisons/csv?experiment_id=${encodeURIComponent(ids[0]!)}`,
    );
    assert.equal(status, 422);
    assert.match(text, /2 to 8 experiments, but received 1/);
    const unknown = await server.call('GET', `/v1/experiment_comparisons/report?${query}&condition=nonsense(`);
    assert.equal(unknown.status, 422);
    const absent = await server.call(
      'GET',
      `/v1/experiment_comparisons/csv?${query}&experiment_id=${encodeURIComponent(toGlobalId('Experiment', 999_999))}`,
    );
    assert.equal(absent.status, 404);
  });
});
