import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shareTestServer, type TestServer } from '../test-server.ts';

const openServer = shareTestServer();
const HOUR = 3_600_000_000_000n;
const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');

const COUNT = { id: 'a', kind: 'figure', metric: 'spans', aggregates: ['count'] };
const FIELDS = '{id isBuiltIn name description version panels revision updatedAt user {id}}';
const CREATE = `mutation ($input: CreateDashboardInput!) {createDashboard(input: $input) ${FIELDS}}`;
const PATCH = `mutation ($input: PatchDashboardInput!) {patchDashboard(input: $input) ${FIELDS}}`;
const LIST = `{getProjectByName(name: "app") {id dashboards ${FIELDS}}}`;

/** Twelve spans of two traces, one per hour, of two tenants and none. */
async function openWithSpans(): Promise<TestServer> {
  const server = await openServer();
  await server.append(
    ...Array.from({ length: 12 }, (_, i) => ({
      project: 'app',
      traceId: hex(1 + (i % 2), 32),
      spanId: hex(i + 1, 16),
      start: BigInt(i) * HOUR,
      end: BigInt(i) * HOUR + BigInt(i + 1) * 1_000_000n,
      ...(i < 9 ? { metadata: { tenant: i % 3 === 0 ? 'acme' : 'umbrella' } } : {}),
    })),
  );
  return server;
}

const errorOf = async (server: TestServer, query: string, variables: object = {}): Promise<string> =>
  String((await server.post(query, variables)).errors?.[0]);

describe('dashboards', () => {
  test('are created, changed and deleted; two are built in', async () => {
    const server = await openWithSpans();
    const { id: projectId, dashboards } = (await server.ask(LIST)).getProjectByName;
    assert.deepEqual(
      dashboards.map(({ id, isBuiltIn, name, revision }: Record<string, unknown>) => [id, isBuiltIn, name, revision]),
      [
        ['overview', true, 'Overview', 0],
        ['cost-and-tokens', true, 'Cost and tokens', 0],
      ],
    );

    const input = { projectId, name: ' Ours ', panels: [COUNT] };
    const { createDashboard: made } = await server.ask(CREATE, { input });
    assert.deepEqual([made.name, made.revision, made.description, made.panels.length], ['Ours', 1, '', 1]);
    assert.equal(await errorOf(server, CREATE, { input }), 'The project has a dashboard with the name "Ours"');
    const copy = { ...input, name: 'Copy', panels: dashboards[0].panels };
    assert.equal(
      (await server.ask(CREATE, { input: copy })).createDashboard.panels.length,
      dashboards[0].panels.length,
    );

    const change = { id: made.id, revision: 1, name: 'Mine' };
    const { patchDashboard: changed } = await server.ask(PATCH, { input: change });
    assert.deepEqual([changed.name, changed.revision, changed.panels], ['Mine', 2, made.panels]);
    assert.equal(
      await errorOf(server, PATCH, { input: { ...change, panels: [] } }),
      'The dashboard was saved by someone else: its revision is 2, and the change is of revision 1',
    );
    assert.match(
      await errorOf(server, PATCH, { input: { ...change, revision: 2, panels: [{}] } }),
      /^Panel 1: kind must be one of figure, series, list, and is missing/,
    );

    const remove = (id: string) => `mutation {deleteDashboard(id: "${id}") {name}}`;
    assert.deepEqual((await server.ask(remove(made.id))).deleteDashboard, { name: 'Mine' });
    assert.match(await errorOf(server, remove(made.id)), /^Dashboard with ID .* not found$/);
    assert.match(await errorOf(server, remove('overview')), /is built in and cannot be changed/);
    assert.match(await errorOf(server, PATCH, { input: { id: 'overview', revision: 0 } }), /is built in/);
    const left = (await server.ask(LIST)).getProjectByName.dashboards;
    assert.deepEqual(
      left.slice(2).map(({ name }: { readonly name: string }) => name),
      ['Copy'],
    );
  });

  test('every panel of the built-in ones can be read', async () => {
    const server = await openWithSpans();
    const { dashboards } = (await server.ask(LIST)).getProjectByName;
    for (const panel of dashboards.flatMap(({ panels }: { readonly panels: readonly object[] }) => panels)) {
      const { getProjectByName } = await server.ask(
        `query ($metric: SpanMetric!, $aggregates: [SpanAggregate!]!, $filter: String, $groupBy: SpanGroupInput) {
          getProjectByName(name: "app") {spanMetric(metric: $metric, aggregates: $aggregates, groupBy: $groupBy,
            filterCondition: $filter, timeRange: {}) {total {values}}}}`,
        panel,
      );
      assert.equal(getProjectByName.spanMetric.total.values.length, panel.aggregates.length, panel.id);
    }
  });

  test('metrics have values for every bin, groups, and the trace of a group', async () => {
    const server = await openWithSpans();
    const metric = async (args: string, fields: string) =>
      (await server.ask(`{getProjectByName(name: "app") {spanMetric(${args}) {${fields}}}}`)).getProjectByName
        .spanMetric;
    const range = 'timeRange: {start: "1970-01-01T00:00:00Z", end: "1970-01-02T00:00:00Z"}';
    const bins = 'timeBinConfig: {scale: HOUR, scaleCount: 6}';

    const byTenant = await metric(
      `metric: spans, aggregates: [count], ${range}, ${bins}, groupBy: {attribute: "metadata.tenant"}, first: 1`,
      'timestamps total {values series} groups {name spanCount values series trace {id}} others {groupCount values series} ungroupedSpanCount',
    );
    assert.deepEqual(byTenant, {
      timestamps: ['00', '06', '12', '18'].map((hour) => `1970-01-01T${hour}:00:00+00:00`),
      total: { values: [12], series: [] },
      groups: [{ name: 'umbrella', spanCount: 6, values: [6], series: [[4, 2, 0, 0]], trace: null }],
      others: { groupCount: 1, values: [3], series: [[2, 1, 0, 0]] },
      ungroupedSpanCount: 3,
    });
    const latency = await metric(
      `metric: latency, aggregates: [p50, mean], ${range}, ${bins}`,
      'total {values series}',
    );
    assert.deepEqual(latency.total, {
      values: [6.5, 6.5],
      series: [
        [3.5, 9.5, null, null],
        [3.5, 9.5, null, null],
      ],
    });
    const byTrace = await metric(
      `metric: latency, aggregates: [sum], ${range}, groupBy: {column: trace}`,
      'groups {values trace {traceId}}',
    );
    assert.deepEqual(byTrace.groups, [
      { values: [42], trace: { traceId: hex(2, 32) } },
      { values: [36], trace: { traceId: hex(1, 32) } },
    ]);
  });

  test('a metric without a meaning is rejected', async () => {
    const server = await openWithSpans();
    const messageOf = (args: string) =>
      errorOf(server, `{getProjectByName(name: "app") {spanMetric(timeRange: {}, ${args}) {timestamps}}}`);

    assert.equal(await messageOf('metric: latency, aggregates: [count]'), 'The metric latency has no aggregate count');
    assert.match(await messageOf('metric: latency, aggregates: []'), /1 to 4 different/);
    assert.match(await messageOf('metric: spans, aggregates: [count], groupBy: {}'), /either a column/);
    assert.match(await messageOf('metric: spans, aggregates: [count], first: 51'), /between 1 and 50/);
    assert.match(
      await messageOf('metric: spans, aggregates: [count], groupBy: {attribute: "a..b"}'),
      /must be a key such as/,
    );
    assert.match(await messageOf('metric: annotation, aggregates: [mean]'), /needs an annotationName/);
    assert.equal(
      await messageOf('metric: spans, aggregates: [count], timeBinConfig: {scale: HOUR}'),
      'Start time is required',
    );
  });
});
