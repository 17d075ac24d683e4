import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NewGenerativeModel } from '../../../src/model/models/generative-model.ts';
import { findRowId } from '../../../src/domain/find-row-ids.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import type { TestSpan } from '../../fixtures/span-columns.ts';
import { shareTestServer } from '../test-server.ts';

const T0 = BigInt(Date.parse('2026-03-02T08:00:00Z')) * 1_000_000n;
const HOUR = 3_600_000_000_000n;
const SHIPPED: NewGenerativeModel = {
  name: 'shipped',
  provider: 'openai',
  namePattern: '^known',
  startTimeMs: null,
  prices: [
    { tokenType: 'input', isPrompt: true, perToken: 2e-6 },
    { tokenType: 'cache_read', isPrompt: true, perToken: 1e-6 },
    { tokenType: 'output', isPrompt: false, perToken: 10e-6 },
  ],
};
const llm = (
  trace: number,
  name: string,
  modelName: string,
  token_count: object,
  rest: Partial<TestSpan> = {},
): TestSpan => ({
  traceId: String(trace).padStart(32, '0'),
  spanId: Buffer.from(name).toString('hex').padStart(16, '0'),
  project: 'app',
  name,
  spanKind: 'LLM',
  modelName,
  attributes: { llm: { token_count } },
  start: T0 + BigInt(trace) * HOUR,
  end: T0 + BigInt(trace) * HOUR + 1_000_000n,
  ...rest,
});
const SPANS: TestSpan[] = [
  llm(0, 'cheap', 'known-1', { prompt: 10, completion: 1 }, { sessionId: 's1' }),
  llm(
    1,
    'dear',
    'known-2',
    { prompt: 100, completion: 10, prompt_details: { cache_read: 40 } },
    { sessionId: 's2', tokens: [100, 10] },
  ),
  llm(1, 'unpriced', 'other', { prompt: 3, completion: 2 }),
  { ...llm(2, 'tool', 'x', {}), spanKind: 'TOOL' },
];
const SUMMARY = 'costSummary{prompt{tokens cost} completion{tokens cost} total{tokens cost}}';
const summary = (
  prompt: [number | null, number | null],
  completion: [number | null, number | null],
  total: [number | null, number | null],
) => ({
  prompt: { tokens: prompt[0], cost: prompt[1] },
  completion: { tokens: completion[0], cost: completion[1] },
  total: { tokens: total[0], cost: total[1] },
});
const NOTHING = summary([null, null], [null, null], [null, null]);

const openServer = shareTestServer({ builtInModels: [SHIPPED] });

async function given() {
  const server = await openServer();
  await server.append(...SPANS);
  // biome-ignore lint/suspicious/noExplicitAny: the query says what comes back
  const project = async (fields: string): Promise<any> =>
    (await server.ask(`{getProjectByName(name:"app"){${fields}}}`)).getProjectByName;
  return { ...server, project };
}

describe('costs', () => {
  test('of spans are told from none, and from those without a price', async () => {
    const { project } = await given();

    const { spans } = await project(
      `spans(first:9){edges{node{name ${SUMMARY} costDetailSummaryEntries{tokenType isPrompt value{tokens cost}}}}}`,
    );

    // biome-ignore lint/suspicious/noExplicitAny: the query says what comes back
    const byName = new Map(spans.edges.map(({ node }: any) => [node.name, node]));
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const of = (name: string): any => byName.get(name);
    assert.deepEqual(of('dear').costSummary, summary([100, 0.00016], [10, 0.0001], [110, 0.00026]));
    assert.deepEqual(of('dear').costDetailSummaryEntries, [
      { tokenType: 'input', isPrompt: true, value: { tokens: 60, cost: 0.00012 } },
      { tokenType: 'cache_read', isPrompt: true, value: { tokens: 40, cost: 0.00004 } },
      { tokenType: 'output', isPrompt: false, value: { tokens: 10, cost: 0.0001 } },
    ]);
    assert.deepEqual(of('unpriced').costSummary, summary([3, null], [2, null], [5, null]));
    assert.equal(of('tool').costSummary, null);
    assert.deepEqual(of('tool').costDetailSummaryEntries, []);
  });

  test('are summed up by trace, session and project', async () => {
    const { project, ask, store } = await given();

    const rowIds = await Promise.all(
      [0, 1, 2].map((n) => findRowId(store, 'traces', { id: String(n).padStart(32, '0') })),
    );
    const traces = await ask(
      `{${rowIds.map((id, index) => `t${index + 1}:node(id:"${toGlobalId('Trace', id!)}"){... on Trace{${SUMMARY}}}`).join(' ')}}`,
    );
    const { sessions, ...own } =
      await project(`${SUMMARY} late:costSummary(timeRange:{start:"2026-03-02T09:30:00Z"}){total{tokens cost}}
      sessions(first:9,sort:{col:costTotal,dir:desc}){edges{node{sessionId ${SUMMARY}}}}`);

    assert.deepEqual(traces.t2.costSummary, summary([103, 0.00016], [12, 0.0001], [115, 0.00026]));
    assert.deepEqual(traces.t3.costSummary, NOTHING);
    assert.deepEqual(own.costSummary, summary([113, 0.00018], [13, 0.00011], [126, 0.00029]));
    assert.deepEqual(own.late, { total: { tokens: 0, cost: 0 } });
    assert.deepEqual(
      sessions.edges.map(({ node }: { node: { sessionId: string } }) => node.sessionId),
      ['s2', 's1'],
    );
    assert.deepEqual(sessions.edges[0].node.costSummary, traces.t2.costSummary);
  });

  test('order spans in either direction by pages, those without an amount last', async () => {
    const { project } = await given();
    const names = async (col: string, dir: string) => {
      const found: string[] = [];
      for (let after: string | null = ''; after !== null; ) {
        const { spans } = await project(
          `spans(first:1,after:"${after}",sort:{col:${col},dir:${dir}}){edges{node{name}} pageInfo{hasNextPage endCursor}}`,
        );
        found.push(...spans.edges.map(({ node }: { node: { name: string } }) => node.name));
        after = spans.pageInfo.hasNextPage ? spans.pageInfo.endCursor : null;
      }
      return found;
    };

    assert.deepEqual(await names('tokenCostTotal', 'desc'), ['dear', 'cheap', 'unpriced']);
    assert.deepEqual(await names('tokenCostTotal', 'asc'), ['cheap', 'dear', 'unpriced']);
    assert.deepEqual(await names('cumulativeTokenCostTotal', 'asc'), ['cheap', 'dear', 'unpriced']);
    assert.deepEqual(await names('cumulativeTokenCostTotal', 'desc'), ['unpriced', 'dear', 'cheap']);
  });

  test('make time series and ranks of models', async () => {
    const { project } = await given();
    const range = 'timeRange:{start:"2026-03-02T08:00:00Z",end:"2026-03-02T11:00:00Z"}';

    const found = await project(`id traceTokenCostTimeSeries(${range}){data{promptCost completionCost totalCost}}
      traceTokenCountTimeSeries(${range}){data{promptTokenCount promptTokenCountDetails{tokenType tokenCount}}}
      topModelsByCost(${range}){name lastUsedAt costSummary(${range}){total{tokens cost}} costDetailSummaryEntries{tokenType}}
      topModelsByTokenCount(${range}){name}`);

    assert.deepEqual(found.traceTokenCostTimeSeries.data, [
      { promptCost: 0.00002, completionCost: 0.00001, totalCost: 0.00003 },
      { promptCost: 0.00016, completionCost: 0.0001, totalCost: 0.00026 },
      { promptCost: null, completionCost: null, totalCost: null },
    ]);
    assert.deepEqual(found.traceTokenCountTimeSeries.data[1].promptTokenCountDetails, [
      { tokenType: 'input', tokenCount: 63 },
      { tokenType: 'cache_read', tokenCount: 40 },
    ]);
    assert.deepEqual(found.topModelsByCost, [
      {
        name: 'shipped',
        lastUsedAt: '2026-03-02T09:00:00+00:00',
        costSummary: { total: { tokens: 121, cost: 0.00029 } },
        costDetailSummaryEntries: [{ tokenType: 'input' }, { tokenType: 'cache_read' }, { tokenType: 'output' }],
      },
    ]);
    assert.deepEqual(found.topModelsByTokenCount, [{ name: 'shipped' }]);

    const later = 'timeRange:{start:"2026-03-02T09:00:00Z",end:"2026-03-02T11:00:00Z"}';
    const scoped = `projectId:"${found.id}",${later}`;
    const { topModelsByCost } = await project(
      `topModelsByCost(${range}){costSummary(${scoped}){total{tokens cost}} costDetailSummaryEntries(${scoped}){tokenType}}`,
    );
    assert.deepEqual(topModelsByCost[0].costSummary, { total: { tokens: 110, cost: 0.00026 } });
    assert.equal(topModelsByCost[0].costDetailSummaryEntries.length, 3);
  });
});

describe('models', () => {
  const COSTS =
    '[{tokenType:"input",costPerMillionTokens:0.15,kind:PROMPT},{tokenType:"output",costPerMillionTokens:3,kind:COMPLETION}]';
  const MODEL =
    'model{id name provider providerKey namePattern kind startTime tokenPrices{tokenType kind costPerMillionTokens costPerToken}}';

  test('of people are made, changed, and deleted, and price what comes after', async () => {
    const { ask, append, project } = await given();

    const made = await ask(
      `mutation{createModel(input:{name:" mine ",provider:"anthropic",namePattern:"^other$",costs:${COSTS},startTime:"2020-01-01T00:00:00Z"}){${MODEL} query{generativeModels{edges{node{name}}}}}}`,
    );
    const { id, ...model } = made.createModel.model;
    assert.deepEqual(model, {
      name: 'mine',
      provider: 'anthropic',
      providerKey: 'ANTHROPIC',
      namePattern: '^other$',
      kind: 'CUSTOM',
      startTime: '2020-01-01T00:00:00+00:00',
      tokenPrices: [
        { tokenType: 'input', kind: 'PROMPT', costPerMillionTokens: 0.15, costPerToken: 0.15e-6 },
        { tokenType: 'output', kind: 'COMPLETION', costPerMillionTokens: 3, costPerToken: 3e-6 },
      ],
    });
    assert.deepEqual(made.createModel.query.generativeModels.edges, [
      { node: { name: 'mine' } },
      { node: { name: 'shipped' } },
    ]);
    await append(llm(5, 'later', 'other', { prompt: 100 }));
    const { spans } = await project(
      'spans(first:9,sort:{col:tokenCostTotal,dir:desc}){edges{node{name costSummary{total{cost}}}}}',
    );
    assert.deepEqual(spans.edges.at(-2).node, { name: 'later', costSummary: { total: { cost: 0.000015 } } });
    assert.equal(spans.edges.at(-1).node.name, 'unpriced');

    const changed = await ask(
      `mutation{updateModel(input:{id:"${id}",name:"mine",namePattern:"o",costs:${COSTS}}){model{provider namePattern startTime}}}`,
    );
    assert.deepEqual(changed.updateModel.model, { provider: null, namePattern: 'o', startTime: null });
    const whole = `{id:"${id}",name:"mine",provider:"xai",namePattern:"o",startTime:"2021-01-01T00:00:00Z",costs:${COSTS}}`;
    const { updateModel } = await ask(
      `mutation{updateModel(input:${whole}){model{provider startTime createdAt updatedAt} query{generativeModels{edges{node{id}}}}}}`,
    );
    const { provider, startTime, createdAt, updatedAt } = updateModel.model;
    assert.deepEqual([provider, startTime], ['xai', '2021-01-01T00:00:00+00:00']);
    assert.ok(Date.parse(createdAt) <= Date.parse(updatedAt));
    assert.equal(updateModel.query.generativeModels.edges.length, 2);
    const { deleteModel } = await ask(
      `mutation{deleteModel(input:{id:"${id}"}){model{name} query{generativeModels{edges{node{name}}}}}}`,
    );
    assert.equal(deleteModel.query.generativeModels.edges.length, 1);
    assert.deepEqual((await ask('{generativeModels{edges{node{name}}}}')).generativeModels.edges, [
      { node: { name: 'shipped' } },
    ]);
    assert.equal((await ask(`{node(id:"${id}"){... on GenerativeModel{name}}}`)).node.name, 'mine');
  });

  for (const [what, mutation, message] of [
    [
      'without an input cost',
      'createModel(input:{name:"a",namePattern:"a",costs:[]}){model{id}}',
      'input cost is required',
    ],
    [
      'without an output cost',
      'createModel(input:{name:"a",namePattern:"a",costs:[{tokenType:"input",costPerMillionTokens:1,kind:PROMPT}]}){model{id}}',
      'output cost is required',
    ],
    [
      'with a pattern that is none',
      `createModel(input:{name:"a",namePattern:"a(",costs:${COSTS}}){model{id}}`,
      /^Invalid regex: /,
    ],
    [
      'with a pattern that may take for ever',
      `createModel(input:{name:"a",namePattern:"(a)\\\\1",costs:${COSTS}}){model{id}}`,
      /^Invalid regex: /,
    ],
    [
      'with a pattern of absurd length',
      `createModel(input:{name:"a",namePattern:"${'a'.repeat(1001)}",costs:${COSTS}}){model{id}}`,
      /^Invalid regex: longer/,
    ],
    [
      'with a negative cost',
      `createModel(input:{name:"a",namePattern:"a",costs:${COSTS.replace('0.15', '-1')}}){model{id}}`,
      /input cost must be a number/,
    ],
    [
      'without a name',
      `createModel(input:{name:" ",namePattern:"a",costs:${COSTS}}){model{id}}`,
      'Name cannot be empty',
    ],
    [
      'in place of a shipped one',
      `updateModel(input:{id:"BUILT_IN",name:"a",namePattern:"a",costs:${COSTS}}){model{id}}`,
      'Cannot update built-in model',
    ],
    [
      'that is shipped, when it is to go',
      `deleteModel(input:{id:"BUILT_IN"}){model{id}}`,
      'Cannot delete built-in model',
    ],
    ['that there is not', `deleteModel(input:{id:"${toGlobalId('GenerativeModel', 9999)}"}){model{id}}`, /not found/],
  ] as const) {
    test(`a model ${what} is rejected`, async () => {
      const server = await openServer();
      const [model] = await server.ports.models.list();
      const text = mutation.replace('BUILT_IN', toGlobalId('GenerativeModel', model!.rowId));

      const [error = ''] = (await server.post(`mutation{${text}}`)).errors ?? [];

      assert.match(error, typeof message === 'string' ? new RegExp(`^${message}$`) : message);
    });
  }
});
