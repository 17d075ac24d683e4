// Data of the states in states.txt. The seed of a group gets the context of screenshots.mjs, and returns the address of its server, the
// values of its addresses, and the cookies, files and actions that its steps name.

import { categorical, continuous, mapping, promptOf } from '../../dist/test/api/graphql/evaluator-fixtures.js';
import { seedExperiments } from '../../dist/test/web/comparison/seed-experiments.js';
import { bindCode, seedLabelledRuns } from '../../dist/test/web/evaluators/evaluator-data.js';
import { hexId, projectId, seed } from '../../dist/test/web/seed.js';
import { discover, giveAccess, newRequest } from '../../dist/test/api/access/application.js';
import { HUGE_PROJECT, sendHugeProject } from './huge-project.mjs';

const FIRST_PASSWORD = 'first-password';
const PASSWORD = 'own-password';
const ADMIN_SECRET = 'admin-secret-of-the-pictures-0123456789';

export const SEEDS = {
  base,
  comparison,
  datasets,
  data,
  empty: async ({ start }) => ({ url: await start() }),
  evaluators,
  dashboards,
  huge,
  access,
  providers,
  unconfigured: async ({ start }) => ({
    url: await start({
      SERVICE_ALLOWED_PROVIDERS: 'openai,anthropic,ollama,azure_openai',
      SERVICE_ALLOWED_SANDBOX_PROVIDERS: 'NONE',
    }),
  }),
  online,
};

/** The sample project and an empty one. Other groups add to its server. */
async function base({ start, browser }) {
  const url = await start();
  await mutate(url, 'createProject', { name: 'my-first-app' });
  const page = await browser.newPage();
  await page.goto(`${url}/projects`);
  await page.getByRole('button', { name: 'Load sample project' }).click();
  const links = page.locator('.table-row a');
  await page.getByRole('table', { name: 'Spans' }).locator('.table-row').first().waitFor();
  const [project] = /^\/projects\/[^/]+/.exec(new URL(page.url()).pathname);
  const [first, second] = await links.evaluateAll((all) => all.map((link) => link.href.split('?')[0]));
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('table', { name: 'Sessions' }).locator('.table-row a').first().waitFor();
  const session = (await links.first().getAttribute('href')).split('?')[0];
  await page.goto(`${url}${project}/traces?timeRangeKey=1d`);
  const failedRow = page.locator('.table-row', { has: page.locator('.status-error') }).first();
  const failed = (await failedRow.locator('a').first().getAttribute('href')).split('?')[0];
  await page.close();
  const values = [
    { label: 'correct', score: 1 },
    { label: 'incomplete', score: 0.5 },
    { label: 'wrong', score: 0 },
  ];
  await addConfigs(url, decodeURIComponent(project.split('/').at(-1)), [
    { categorical: { name: 'correctness', optimizationDirection: 'MAXIMIZE', values } },
    continuous('tone'),
  ]);
  const empty = `/projects/${encodeURIComponent(await projectId(url, 'my-first-app'))}`;
  return { url, project, ...listsOf(project), first, second, session, failed, empty };
}

/** A dataset with three experiments. */
async function comparison(context) {
  const { url } = await context.seed('base');
  let state = 7;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const cases = [
    ['How do I get a refund for order 1042?', 'You can ask for a refund within 30 days in your account under Orders.'],
    ['Can I return shoes that I wore outdoors?', 'Worn shoes can be returned only if the soles show no marks.'],
    ['Why was I charged twice?', 'The second charge is a reservation that your bank releases after a week.'],
  ];
  const examples = Array.from({ length: 120 }, (_, index) => ({
    id: `case-${index + 1}`,
    input: { question: cases[index % 3][0] },
    output: { answer: cases[index % 3][1] },
    metadata: { topic: ['billing', 'shipping', 'returns', 'account'][index % 4], language: index % 7 ? 'en' : 'de' },
    ...(index % 5 === 0 ? { split: 'hard' } : index % 3 === 0 ? { split: 'edge cases' } : {}),
  }));
  const experiment = (name, quality, latencyMs, repetitions = 1) => ({
    ...{ name, repetitions },
    run(index) {
      if (name === 'short-prompt' && index % 29 === 3) return undefined;
      if (name !== 'baseline' && index % 41 === 5) return { error: 'RateLimitError: retry after 20 s', latencyMs };
      const isGood = random() < quality - (name === 'short-prompt' && index % 4 === 2 ? 0.35 : 0);
      const words = cases[index % 3][1].split(' ').filter(() => random() > (isGood ? 0.08 : 0.4));
      const label = isGood ? 'correct' : 'wrong';
      const explanation = isGood ? 'Agrees with the reference.' : 'Omits the deadline that the reference names.';
      return {
        output: { answer: words.join(' '), ...(index % 9 === 2 && { confidence: Math.round(random() * 100) / 100 }) },
        latencyMs: latencyMs * (0.6 + random()),
        scores: [
          { name: 'correctness', annotatorKind: 'LLM', score: isGood ? 1 : 0, label, explanation },
          { name: 'helpfulness', annotatorKind: 'LLM', score: Math.round((isGood ? 70 : 30) + random() * 30) / 100 },
        ],
      };
    },
  });
  const { datasetId, exampleIds, experimentIds } = await seedExperiments(url, 'compared questions', examples, [
    experiment('baseline', 0.72, 1_400),
    experiment('short-prompt', 0.78, 700, 2),
    experiment('reasoning-large', 0.9, 4_200),
  ]);
  const none = `/datasets/${encodeURIComponent(datasetId)}/compare`;
  const all = `${none}?${new URLSearchParams(experimentIds.map((id) => ['experiment', id]))}`;
  return { url, none, all, row: `${all}&sort=position&exampleId=${encodeURIComponent(exampleIds[2])}` };
}

/** Datasets with labels, and files for them. */
async function datasets(context) {
  const { url } = await context.seed('base');
  const header = 'id,question,answer,topic,split,difficulty\n';
  const line = (index, answer = 'Use the link') =>
    `q${index},"How do I ""reset"" password ${index}?",${answer},${index % 3 ? 'account' : 'billing'},${index % 5 ? 'train' : 'test'},${index % 10}\n`;
  const lines = (count) => Array.from({ length: count }, (_, index) => line(index)).join('');
  const labelIds = [];
  for (const [name, color] of [
    ['golden', '#d9a30d'],
    ['regression', '#c93a4b'],
    ['a label with a very long name that does not fit', '#7a4fd1'],
  ]) {
    labelIds.push((await mutate(url, 'createDatasetLabel', { name, color }, '{datasetLabel {id}}')).datasetLabel.id);
  }
  for (const [index, name] of ['support', 'refund cases', 'a name of a dataset that goes on and on'].entries()) {
    const form = new FormData();
    const description = index === 1 ? '' : 'Questions of customers, collected from traces of the last month';
    const keys = { 'input_keys[]': 'question', 'output_keys[]': 'answer', 'metadata_keys[]': 'topic' };
    const fields = { name, description, ...keys, split_key: 'split', example_id_key: 'id' };
    for (const [key, value] of Object.entries(fields)) form.append(key, value);
    form.append('file', new Blob([header + lines(40)], { type: 'text/csv' }), 'file.csv');
    const { data } = await send(`${url}/v1/datasets/upload?sync=true`, { body: form });
    await mutate(url, 'setDatasetLabels', {
      ...{ datasetId: data.dataset_id, datasetLabelIds: labelIds.slice(0, index + 1) },
    });
  }
  const file = (text) => ({ name: 'questions.csv', mimeType: '', buffer: Buffer.from(header + text) });
  const files = {
    short: file(`${lines(40)}short,row\n`),
    rejected: file(`${lines(40)}short,row\n${line(3)}`),
    changed: file(line(99) + Array.from({ length: 29 }, (_, index) => line(index + 1, 'Use the new link')).join('')),
  };
  return { url, files };
}

/** The sample of datasets, experiments and prompts, with a second version of its dataset. */
async function data(context) {
  const { url } = await context.seed('base');
  const { createSample: sample } = await graphql(
    url,
    'mutation {createSample {dataset {id} experiments {id} prompt {id promptVersions {edges {node {id}}}}}}',
  );
  const query = 'query ($id: ID!) {node(id: $id) {... on Dataset {exampleIds(limit: 3)}}}';
  const [first, second, third] = (await graphql(url, query, { id: sample.dataset.id })).node.exampleIds;
  await mutate(url, 'saveDatasetExamples', {
    datasetId: sample.dataset.id,
    patches: [{ exampleId: second, output: '{"answer": "Within 30 days, unless the soles show marks."}' }],
    deletions: [{ exampleId: third }],
    additions: [{ input: '{"question": "Do you ship to Norway?"}', output: '{"answer": "Not yet."}', metadata: '{}' }],
    versionDescription: 'Corrected the answer about worn boots',
  });
  const empty = (await mutate(url, 'createDataset', { name: 'nothing in it' }, '{dataset {id}}')).dataset;
  const dataset = `/datasets/${encodeURIComponent(sample.dataset.id)}`;
  const prompt = `/prompts/${encodeURIComponent(sample.prompt.id)}`;
  return {
    ...{ url, dataset, prompt, empty: `/datasets/${encodeURIComponent(empty.id)}` },
    example: `${dataset}/examples/${encodeURIComponent(first)}`,
    experiment: `${dataset}/experiments/${encodeURIComponent(sample.experiments[1].id)}`,
    version: `${prompt}/versions/${encodeURIComponent(sample.prompt.promptVersions.edges[0].node.id)}`,
  };
}

/** Evaluators of a dataset whose runs people have labelled, and calibrations. */
async function evaluators(context) {
  const { url } = await context.seed('base');
  const text = 'Open the page to sign in, then use the link. ';
  const answers = Array.from({ length: 24 }, (_, index) => text.slice(0, 18 + ((index * 7) % 30)));
  const datasetId = await seedLabelledRuns(
    url,
    answers.map((answer, index) => [answer, answer.length > 34 || index % 7 === 0 ? 'good' : 'bad']),
  );
  const source = `def evaluate(output, limit: int = 40):
    # Short answers are of little help.
    text = output["answer"]
    return {"label": "good" if len(text) >= limit else "bad", "explanation": "%d characters" % len(text)}
`;
  const codeId = await bindCode(url, datasetId, 'answer-length', source);
  const llmId = await bindLlm(url, datasetId);
  for (const limit of [30, 45]) {
    const { calibration } = await mutate(
      url,
      'startCalibration',
      {
        ...{ datasetEvaluatorId: codeId, source: { datasetId }, annotationName: 'quality', heldOutShare: 0.25 },
        inputMapping: mapping({ output: 'output' }, { limit }),
      },
      '{calibration {id}}',
    );
    const query = 'query ($id: ID!) {node(id: $id) {... on Calibration {status}}}';
    await until(async () => (await graphql(url, query, calibration)).node.status !== 'RUNNING');
  }
  const list = `/datasets/${encodeURIComponent(datasetId)}/evaluators`;
  const [code, llm] = [codeId, llmId].map((id) => `${list}/${encodeURIComponent(id)}`);
  return { url, list, code, llm };
}

const bindLlm = async (url, datasetId) =>
  (
    await mutate(
      url,
      'createDatasetLlmEvaluator',
      {
        ...{ datasetId, name: 'helpfulness', description: 'how good it is' },
        promptVersion: promptOf({
          template: {
            messages: [
              { role: 'SYSTEM', content: [{ text: { text: 'Decide whether the answer helps the customer.' } }] },
              { role: 'USER', content: [{ text: { text: '{{question}}\n\n<answer>\n{{answer}}\n</answer>' } }] },
            ],
          },
        }),
        outputConfigs: [categorical('quality')],
        inputMapping: mapping({ question: 'input.question', answer: 'output.answer' }),
      },
      '{evaluator {id}}',
      'CreateDatasetLLMEvaluatorInput!',
    )
  ).evaluator.id;

async function dashboards(context) {
  const { url, project } = await context.seed('base');
  const id = decodeURIComponent(project.split('/').at(-1));
  const root = `/dashboards/projects/${encodeURIComponent(id)}`;
  const count = { kind: 'figure', metric: 'spans', aggregates: ['count'] };
  const create = (name, panels) =>
    mutate(url, 'createDashboard', { projectId: id, name, panels }, '{id revision}').then((each) => each.id);
  const own = await create('Support team', [
    { ...count, id: 'a', title: 'Answers', filter: "name == 'compose_answer'" },
    { ...count, id: 'b', metric: 'latency', aggregates: ['p95'], filter: "span_kind == 'RETRIEVER'" },
    { id: 'c', kind: 'series', metric: 'latency', aggregates: ['p95'], groupBy: { column: 'kind' } },
    { ...count, id: 'd', kind: 'list', groupBy: { column: 'name' }, groupCount: 5 },
    { ...count, id: 'e', kind: 'series', groupBy: { column: 'name' }, style: 'bars' },
  ]);
  const panels = [
    { ...count, title: 'Spend', metric: 'dollars' },
    { ...count, columns: 7 },
  ];
  const file = JSON.stringify({ kind: 'spandrel.dashboard', version: 1, name: 'From a colleague', panels });
  return {
    ...{ url, root, own: `${root}/${encodeURIComponent(own)}?timeRangeKey=1d` },
    empty: `${root}/${encodeURIComponent(await create('Nothing yet', []))}?timeRangeKey=1d`,
    files: {
      dashboard: { name: 'spend.dashboard.json', mimeType: 'application/json', buffer: Buffer.from(file) },
    },
    actions: {
      /** Another user saves the dashboard while the page edits it. */
      async saveElsewhere() {
        const { projects } = await graphql(url, '{projects(first: 100) {edges {node {dashboards {id revision}}}}}');
        const all = projects.edges.flatMap(({ node }) => node.dashboards);
        const { revision } = all.find((each) => each.id === own);
        await mutate(url, 'patchDashboard', { id: own, revision, description: `State ${revision}` });
      },
    },
  };
}

async function huge(context) {
  const { url } = await context.seed('base');
  const { bigTraceId, oddTraceId } = await sendHugeProject(url);
  const query = 'query ($name: String!) {getProjectByName(name: $name) {recordCount}}';
  await until(async () => {
    const { getProjectByName: found } = await graphql(url, query, { name: HUGE_PROJECT });
    return found?.recordCount >= 100_505;
  });
  const project = `/projects/${encodeURIComponent(await projectId(url, HUGE_PROJECT))}`;
  const [big, odd] = [bigTraceId, oddTraceId].map((id) => `${project}/traces/${id}`);
  return { url, project, ...listsOf(project), big, odd };
}

/** A server with sign-in, users, keys and applications. */
async function access({ start }) {
  const url = await start({
    SERVICE_ENABLE_AUTH: 'true',
    SERVICE_SECRET: 'secret-of-the-pictures-0123456789-012345',
    SERVICE_ADMIN_SECRET: ADMIN_SECRET,
    SERVICE_DISABLE_RATE_LIMIT: 'true',
  });
  const server = { url, headers: { authorization: `Bearer ${ADMIN_SECRET}` } };
  for (const [username, role] of [
    ['ada', 'ADMIN'],
    ['grace', 'MEMBER'],
    ['vera', 'VIEWER'],
    ['a-person-with-a-very-long-name-that-does-not-fit-into-a-row-of-the-list', 'VIEWER'],
  ]) {
    await mutate(server, 'createUser', { email: `${username}@example.com`, username, role, password: FIRST_PASSWORD });
  }
  const cookies = { newcomer: await signIn(url, 'grace', FIRST_PASSWORD) };
  for (const [user, name] of [
    ['admin', 'ada'],
    ['viewer', 'vera'],
  ]) {
    // A new password ends the session.
    const first = as(url, await signIn(url, name, FIRST_PASSWORD));
    await mutate(first, 'patchViewer', { currentPassword: FIRST_PASSWORD, newPassword: PASSWORD });
    cookies[user] = await signIn(url, name, PASSWORD);
  }
  const admin = as(url, cookies.admin);
  for (const input of [
    { name: 'exporter', description: 'Sends the spans of the shop', scope: 'SEND' },
    { name: 'nightly report', scope: 'READ', expiresAt: '2020-01-01T00:00:00Z' },
  ]) {
    await mutate(admin, 'createUserApiKey', input);
    await mutate(admin, 'createSystemApiKey', input, undefined, 'CreateApiKeyInput!');
  }
  await storeSecrets(admin, [
    { key: 'OPENAI_API_KEY', value: 'sk-of-the-pictures', hosts: ['api.openai.com', '*.openai.azure.com'] },
    { key: 'A_KEY_WITH_A_VERY_LONG_NAME_THAT_DOES_NOT_FIT_INTO_A_ROW_OF_THE_LIST', value: 'secret' },
  ]);
  await mutate(server, 'patchUser', { userId: btoa('User:6'), newRole: 'MEMBER' });
  const register = async (client_name, redirect_uri) => {
    const body = JSON.stringify({ client_name, redirect_uris: [redirect_uri] });
    return { clientId: (await send(`${url}/oauth2/register`, { body })).client_id, redirect_uri };
  };
  const cli = { clientId: 'phoenix-cli', redirect_uri: 'http://127.0.0.1:49152/callback' };
  const agent = { ...(await register('Trace agent', cli.redirect_uri)), resource: `${url}/mcp` };
  const longName = 'A site with a very long name that does not fit into one line of any list or card of it';
  const site = await register(longName, 'https://dashboards.example.com/oauth/callback');
  for (const [user, application] of [
    ['admin', cli],
    ['admin', { ...agent, scope: 'read:traces write:annotations' }],
    ['viewer', { ...site, scope: 'read:traces' }],
  ]) {
    const { value } = cookies[user].find(({ name }) => name === 'phoenix-access-token');
    await giveAccess({ address: url }, { access: value }, application);
  }
  const requestOf = async ({ clientId, ...parameters }) =>
    (await newRequest(await discover({ address: url }, clientId), parameters)).url.href;
  return {
    ...{ url, cookies, actions: accessActions() },
    cli: await requestOf(cli),
    agent: await requestOf(agent),
    site: await requestOf({ ...site, scope: 'read:traces write:annotations' }),
    siteWithoutScope: await requestOf(site),
    evil: await requestOf({ ...cli, redirect_uri: 'https://evil.example/' }),
  };
}

function accessActions() {
  const config = {
    ...{ authenticationEnabled: true, passwordResetEmailEnabled: true, ldapEnabled: true },
    oAuth2Idps: [
      { name: 'google', displayName: 'Google' },
      { name: 'acme', displayName: 'Acme Corporation of Northern and Southern America' },
    ],
  };
  /** Loads the page again with the configuration of a server with providers. */
  const addProviders = async (page) => {
    const { href } = new URL(page.url());
    const isPage = (address) => address.href === href;
    await page.route(isPage, async (route) => {
      const response = await route.fetch();
      const content = `name="page-config" content="${JSON.stringify(config).replaceAll('"', '&quot;')}"`;
      const body = (await response.text()).replace(/name="page-config" content="[^"]*"/, content);
      await route.fulfill({ response, body });
    });
    await page.reload();
  };
  /** Changes the data of responses. */
  const changeData = (page, change) =>
    page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (body.data) change(body.data);
      await route.fulfill({ response, json: body });
    });
  const showIdentities = async (page, identities) => {
    await changeData(page, ({ viewer }) => {
      if (viewer?.linkedIdentities) viewer.linkedIdentities = identities;
    });
    await addProviders(page);
    await page.getByRole('heading', { name: 'Linked identities' }).scrollIntoViewIfNeeded();
  };
  const linked = [
    ['google', 'ada.lovelace@gmail.example'],
    ['acme', 'an-email-with-a-very-long-name-that-does-not-fit@subsidiary.acme.example'],
  ].map(([provider, email], index) => ({
    ...{ id: String(index), provider, issuer: `https://id.${provider}.example`, email },
    createdAt: '2026-11-20T10:00:00Z',
  }));
  return {
    addProviders,
    showIdentities: (page) => showIdentities(page, linked),
    showNoIdentities: (page) => showIdentities(page, []),
    goOffline: (page) => page.context().setOffline(true),
    signOut: (page) => page.context().clearCookies(),
    failDecisions: (page) => page.route('**/oauth2/authorize/decision', (route) => route.abort()),
    async hideSecrets(page) {
      await changeData(page, ({ secrets }) => {
        if (secrets) secrets.edges = [];
      });
      await page.reload();
    },
  };
}

/** Providers and the playground, with the test endpoint of vendors. */
async function providers({ start, vendorUrl }) {
  const url = await start({
    ...{ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${vendorUrl}/v1` },
    ...{ GROQ_API_KEY: 'gsk-test', AWS_ACCESS_KEY_ID: 'AKIA' },
  });
  await storeSecrets(url, [{ key: 'ANTHROPIC_API_KEY', value: 'sk-ant', hosts: ['gateway.example.com'] }]);
  const openai = {
    openaiAuthenticationMethod: { apiKey: 'sk-0123456789abcdef' },
    openaiClientKwargs: { baseUrl: `${vendorUrl}/v1`, defaultHeaders: { 'X-Team': 'support' } },
  };
  const awsBedrock = {
    awsBedrockAuthenticationMethod: { defaultCredentials: true },
    awsBedrockClientKwargs: { regionName: 'eu-central-1' },
  };
  const description = 'Shared gateway with the budget of the support team';
  for (const input of [
    { name: 'Team gateway', description, provider: 'openai', clientConfig: { openai } },
    { name: 'Claude in Frankfurt', provider: 'aws', clientConfig: { awsBedrock } },
  ]) {
    const type = 'CreateGenerativeModelCustomProviderMutationInput!';
    await mutate(url, 'createGenerativeModelCustomProvider', input, undefined, type);
  }
  const times = Array.from({ length: 7 }, (_, index) => index + 1);
  await sendSpans(
    url,
    'playground',
    times.map((index) => ({ input: `Where is order ${index}?`, output: `Order ${index} arrives tomorrow.` })),
  );
  const labels = ['helpful', 'unhelpful'];
  await addConfigs(url, await projectId(url, 'playground'), [categorical('help', labels), continuous('tone')]);
  const topics = ['my refund', 'the invoice of March', 'a second seat', 'the export of all data'];
  const { dataset_id: datasetId } = await uploadDataset(
    url,
    'support questions',
    Array.from({ length: 24 }, (_, index) => `How do I get ${topics[index % 4]}, case ${index + 1}?`),
  );
  return { url, overDataset: `/playground?datasetId=${encodeURIComponent(datasetId)}` };
}

/** Projects with online evaluators in each state. */
async function online({ start, vendorUrl }) {
  const url = await start({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${vendorUrl}/v1` });
  const empty = await createProject('no-evaluators');
  await bindLlm(url, (await uploadDataset(url, 'questions', ['When?'])).dataset_id);
  const fresh = await createJudged('new-evaluator', ['']);
  const idle = await createIdle();
  const stopped = await createJudged('stopped-backfill', [
    ...Array(25).fill(''),
    ...Array(60).fill('[[latency 60000]]'),
  ]);
  await startBackfill(stopped);
  await untilEvaluators(stopped, ([{ backfills }]) => backfills[0].settledCount >= 25);
  await graphql(url, 'mutation ($id: ID!) {stopOnlineBackfill(id: $id) {id}}', { id: stopped.id });
  const limited = await createJudged('small-budget', Array(30).fill(''));
  await patch({ id: limited.id, dailyCallCountMax: 12 });
  await startBackfill(limited);
  await untilEvaluators(limited, ([{ backfills }]) => backfills[0].settledCount === 30);
  // Last, so that it still runs when its picture is taken: 500 answers of 3 to 13 s, 16 at a time.
  const slow = Array.from({ length: 500 }, (_, index) => `[[latency ${3_000 + (index % 11) * 1_000}]]`);
  const running = await createJudged('running-backfill', slow);
  await startBackfill(running);
  const tabs = Object.entries({ empty, fresh, idle, stopped, limited, running }).map(([name, { tab }]) => [name, tab]);
  return { url, ...Object.fromEntries(tabs) };

  /** A project whose judge has a budget, and whose built-in evaluator fails. Both have scored what arrived. */
  async function createIdle() {
    const project = await createJudged('customer-support', ['']);
    await patch({ id: project.id, filter: "name == 'answer'", samplingRate: 0.9, dailyCallCountMax: 60 });
    await addEvaluator(project.projectId, 'contains', {
      ...{ name: 'mentions-refund', target: 'TRACE', quietSeconds: 1 },
      inputMapping: mapping({ text: 'output.nothing' }, { words: 'refund' }),
    });
    await sendAnswers('customer-support', [...Array(28).fill(''), '[[fault 400]]', '[[fault 400]]'], 100);
    await untilEvaluators(project, (all) =>
      all.every(({ waitingCount, days }) => waitingCount === 0 && days.length > 0),
    );
    // What arrives while it is off is for a backfill.
    await patch({ id: project.id, isEnabled: false });
    await sendAnswers('customer-support', Array(120).fill(''), 1_000);
    await patch({ id: project.id, isEnabled: true });
    await untilEvaluators(project, (all) => all.every(({ waitingCount }) => waitingCount === 0));
    return project;
  }

  /** A project with answers, which arrived before its evaluator `quality`, a judge, was added. */
  async function createJudged(name, answers) {
    const project = await createProject(name);
    await sendAnswers(name, answers, 1);
    const inputMapping = mapping({ question: '$.input', answer: '$.output' });
    return { ...project, id: await addEvaluator(project.projectId, 'helpfulness', { name: 'quality', inputMapping }) };
  }

  async function createProject(name) {
    await mutate(url, 'createProject', { name });
    const id = await projectId(url, name);
    return { projectId: id, tab: `/projects/${encodeURIComponent(id)}/evaluators` };
  }

  async function addEvaluator(id, name, fields) {
    const query = '{evaluators(first: 200) {edges {node {id name}}} builtInEvaluators {id name}}';
    const { evaluators: own, builtInEvaluators } = await graphql(url, query);
    const all = [...own.edges.map(({ node }) => node), ...builtInEvaluators];
    const evaluatorId = all.find((each) => each.name === name || each.name.startsWith(`${name}-`)).id;
    return (await mutate(url, 'createOnlineEvaluator', { projectId: id, evaluatorId, ...fields }, '{id}')).id;
  }

  function patch(input) {
    return mutate(url, 'patchOnlineEvaluator', input);
  }

  function startBackfill({ id }) {
    return mutate(url, 'startOnlineBackfill', { id }, undefined, 'OnlineBackfillInput!');
  }

  function sendAnswers(project, scripts, from) {
    const answers = scripts.map((script, index) => ({
      input: `When do I get the money of order ${from + index}?`,
      output: `${index % 3 === 0 ? 'Within five days.' : 'The refund is due within five days.'} ${script}`,
    }));
    return sendSpans(url, project, answers, from);
  }

  function untilEvaluators({ projectId: id }, isReached) {
    const query = `query ($id: ID!) {node(id: $id) {... on Project {
      onlineEvaluators {waitingCount days {doneCount} backfills {settledCount}}}}}`;
    return until(async () => isReached((await graphql(url, query, { id })).node.onlineEvaluators));
  }
}

const listsOf = (project) => ({
  spans: `${project}/spans?timeRangeKey=1d`,
  traces: `${project}/traces?timeRangeKey=1d`,
});

async function addConfigs(url, id, configs) {
  for (const annotationConfig of configs) {
    const selection = '{annotationConfig {... on Node {id}}}';
    const created = await mutate(url, 'createAnnotationConfig', { annotationConfig }, selection);
    const input = [{ projectId: id, annotationConfigId: created.annotationConfig.id }];
    const type = '[AddAnnotationConfigToProjectInput!]!';
    await mutate(url, 'addAnnotationConfigToProject', input, undefined, type);
  }
}

const storeSecrets = (server, secrets) =>
  mutate(server, 'upsertOrDeleteSecrets', { secrets }, undefined, 'UpsertOrDeleteSecretsMutationInput!');

/** Calls of a model, each in a trace of its own. */
const sendSpans = (url, project, calls, from = 1) =>
  seed(
    url,
    project,
    calls.map(({ input, output }, index) => ({
      ...{ traceId: Buffer.from(project).toString('hex').slice(0, 8) + hexId(from + index, 12) },
      ...{ spanId: Buffer.from(project).toString('hex').slice(0, 8) + hexId(from + index, 4) },
      ...{ name: 'answer', start: Date.now() - 60_000 - index * 1_000, latencyMs: 900 },
      attributes: {
        ...{ 'openinference.span.kind': 'LLM', 'llm.model_name': 'gpt-4o-mini', 'llm.provider': 'openai' },
        ...{ 'input.value': input, 'output.value': output },
        ...{ 'llm.input_messages.0.message.role': 'user', 'llm.input_messages.0.message.content': input },
      },
    })),
  );

async function uploadDataset(url, name, questions) {
  const inputs = questions.map((question) => ({ question }));
  const outputs = questions.map(() => ({ answer: 'In your account, under Billing.' }));
  const body = JSON.stringify({ action: 'create', name, inputs, outputs });
  return (await send(`${url}/v1/datasets/upload?sync=true`, { body })).data;
}

/** Cookies of a new session. */
async function signIn(url, name, password) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: `${name}@example.com`, password });
  const response = await fetch(`${url}/auth/login`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.headers.getSetCookie().map((text) => {
    const [, cookie, value] = /^([^=]+)=([^;]*)/.exec(text);
    return { name: cookie, value, url, httpOnly: true };
  });
}

const as = (url, cookies) => ({
  url,
  headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
});

/** @param server URL, or URL and headers */
async function mutate(server, field, input, selection = '{__typename}', type = undefined) {
  const inputType = type ?? `${field[0].toUpperCase()}${field.slice(1)}Input!`;
  return (await graphql(server, `mutation ($input: ${inputType}) {${field}(input: $input) ${selection}}`, { input }))[
    field
  ];
}

async function graphql(server, query, variables = {}) {
  const { url, headers } = typeof server === 'string' ? { url: server } : server;
  const { data: result, errors } = await send(`${url}/graphql`, {
    headers,
    body: JSON.stringify({ query, variables }),
  });
  if (errors) throw new Error(JSON.stringify(errors));
  return result;
}

async function send(address, { headers, body }) {
  const json = typeof body === 'string' && { 'content-type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers: { ...json, ...headers }, body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

async function until(isReached) {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await isReached()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The data did not become as the states need them');
}
