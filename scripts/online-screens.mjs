// Screens of the tab of online evaluators, for screenshots.mjs: empty, its form, idle, estimates of backfills, one that runs and
// one that was stopped. The model is that of the test endpoint of vendors, so the tests must be built.
import { ask, bindLlm, post } from './evaluator-screens.mjs';
import { withVendorEndpoint } from './vendor-endpoint.mjs';

const MAPPING = { pathMapping: { question: '$.input', answer: '$.output' }, literalMapping: {} };

/** Starts a server that uses the endpoint, and returns what `withVendorEndpoint` does. */
export const onlineScreens = (startServer) =>
  withVendorEndpoint(async (vendor) =>
    screensOf(await startServer({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${vendor}/v1` })),
  );

async function screensOf(url) {
  const empty = await createProject(url, 'no-evaluators');
  // The form of a judge, and not only of built-in evaluators.
  const { dataset_id: datasetId } = await post(url, 'datasets/upload?sync=true', {
    ...{ action: 'create', name: 'questions', inputs: [{ question: 'When?' }], outputs: [{ answer: 'Now.' }] },
  });
  await bindLlm(url, datasetId);
  const fresh = await createJudged(url, 'new-evaluator', ['']);
  const idle = await createIdle(url);
  const stopped = await createStopped(url);
  const limited = await createLimited(url);
  // Last, so that it still runs when its picture is taken: 500 answers of 3 to 13 s, 16 at a time.
  const slow = Array.from({ length: 500 }, (_, index) => `[[latency ${3_000 + (index % 11) * 1_000}]]`);
  const running = await createJudged(url, 'running-backfill', slow);
  await startBackfill(url, running.id);
  return [
    ['online-running', running.tab, (tab) => tab.getByText(/about .* left/).waitFor()],
    ['online-stopped', stopped.tab],
    ['online-over-budget', limited.tab],
    ['online-empty', empty.tab],
    ['online-form', empty.tab, openForm],
    ['online-form-built-in', empty.tab, (tab) => openForm(tab, 'contains')],
    ['online-idle', idle.tab],
    ['online-menu', idle.tab, (tab) => openMenu(tab, 'quality')],
    ['online-failures', idle.tab, (tab) => tab.getByText('Why evaluations failed').first().click()],
    ['online-estimate-unknown', fresh.tab, (tab) => openBackfill(tab, 'quality')],
    ['online-estimate-budget', idle.tab, (tab) => openBackfill(tab, 'quality')],
    ['online-estimate-built-in', idle.tab, (tab) => openBackfill(tab, 'mentions-refund')],
  ];
}

async function openForm(tab, name) {
  await tab.getByRole('button', { name: 'Add evaluator' }).click();
  const field = tab.getByRole('dialog').locator('select').first();
  await field.waitFor();
  if (name) await field.selectOption({ label: name });
}

async function openMenu(tab, name) {
  await tab.getByRole('button', { name: `Actions for ${name}` }).click();
  await tab.getByRole('menuitem', { name: 'Score what has arrived before' }).waitFor();
}

async function openBackfill(tab, name) {
  await openMenu(tab, name);
  await tab.getByRole('menuitem', { name: 'Score what has arrived before' }).click();
  await tab
    .getByRole('dialog')
    .getByText(/How long it takes|It takes|The budget of today/)
    .waitFor();
}

/** A project whose judge has a budget and is on, and a built-in evaluator that fails. Both have scored what arrived. */
async function createIdle(url) {
  const idle = await createJudged(url, 'customer-support', ['']);
  await patch(url, { id: idle.id, filter: "name == 'answer'", samplingRate: 0.9, dailyCallCountMax: 60 });
  await addEvaluator(url, idle.projectId, 'contains', {
    ...{ name: 'mentions-refund', target: 'TRACE', quietSeconds: 1 },
    inputMapping: { pathMapping: { text: 'output.nothing' }, literalMapping: { words: 'refund' } },
  });
  await sendAnswers(url, 'customer-support', [...Array(28).fill(''), '[[fault 400]]', '[[fault 400]]'], 100);
  await until(url, idle.projectId, (all) =>
    all.every(({ waitingCount, days }) => waitingCount === 0 && days.length > 0),
  );
  // What arrives while it is off is for a backfill.
  await patch(url, { id: idle.id, isEnabled: false });
  await sendAnswers(url, 'customer-support', Array(120).fill(''), 1_000);
  await patch(url, { id: idle.id, isEnabled: true });
  await until(url, idle.projectId, (all) => all.every(({ waitingCount }) => waitingCount === 0));
  return idle;
}

/** A project whose backfill was stopped after some of its targets. */
async function createStopped(url) {
  const stopped = await createJudged(url, 'stopped-backfill', [
    ...Array(25).fill(''),
    ...Array(60).fill('[[latency 60000]]'),
  ]);
  await startBackfill(url, stopped.id);
  await until(url, stopped.projectId, ([{ backfills }]) => backfills[0].settledCount >= 25);
  await ask(url, 'mutation ($id: ID!) {stopOnlineBackfill(id: $id) {id}}', { id: stopped.id });
  return stopped;
}

/** A project whose budget ended before its backfill. */
async function createLimited(url) {
  const limited = await createJudged(url, 'small-budget', Array(30).fill(''));
  await patch(url, { id: limited.id, dailyCallCountMax: 12 });
  await startBackfill(url, limited.id);
  await until(url, limited.projectId, ([{ backfills }]) => backfills[0].settledCount === 30);
  return limited;
}

/** A project with these answers, which have arrived before its evaluator `quality`, a judge, was added. */
async function createJudged(url, name, answers) {
  const { projectId, tab } = await createProject(url, name);
  await sendAnswers(url, name, answers, 1);
  const id = await addEvaluator(url, projectId, 'helpfulness', { name: 'quality', inputMapping: MAPPING });
  return { projectId, tab, id };
}

async function createProject(url, name) {
  await ask(url, 'mutation ($input: CreateProjectInput!) {createProject(input: $input) {project {id}}}', {
    input: { name },
  });
  const { getProjectByName } = await ask(url, 'query ($name: String!) {getProjectByName(name: $name) {id}}', { name });
  const projectId = getProjectByName.id;
  return { projectId, tab: `${url}/projects/${encodeURIComponent(projectId)}/evaluators` };
}

async function addEvaluator(url, projectId, evaluatorName, fields) {
  const { evaluators, builtInEvaluators } = await ask(
    url,
    '{evaluators(first: 200) {edges {node {id name}}} builtInEvaluators {id name}}',
  );
  const all = [...evaluators.edges.map(({ node }) => node), ...builtInEvaluators];
  const { id: evaluatorId } = all.find(({ name }) => name === evaluatorName || name.startsWith(`${evaluatorName}-`));
  const create = 'mutation ($input: CreateOnlineEvaluatorInput!) {createOnlineEvaluator(input: $input) {id}}';
  return (await ask(url, create, { input: { projectId, evaluatorId, ...fields } })).createOnlineEvaluator.id;
}

const patch = (url, input) =>
  ask(url, 'mutation ($input: PatchOnlineEvaluatorInput!) {patchOnlineEvaluator(input: $input) {id}}', { input });

const startBackfill = (url, id) =>
  ask(url, 'mutation ($input: OnlineBackfillInput!) {startOnlineBackfill(input: $input) {id}}', { input: { id } });

/** One span of a trace of its own per answer, and waits until all can be read. */
async function sendAnswers(url, project, answers, from) {
  const time = new Date(Date.now() - 60_000).toISOString();
  const hex = (index, length) => (from + index).toString(16).padStart(length, '0');
  const prefix = Buffer.from(project).toString('hex').slice(0, 8);
  const data = answers.map((script, index) => ({
    ...{ name: 'answer', span_kind: 'LLM', start_time: time, end_time: time, status_code: 'OK' },
    context: { trace_id: `${prefix}${hex(index, 24)}`, span_id: `${prefix}${hex(index, 8)}` },
    attributes: {
      'input.value': `When do I get the money of order ${from + index}?`,
      'output.value': `${index % 3 === 0 ? 'Within five days.' : 'The refund is due within five days.'} ${script}`,
    },
  }));
  const query = 'query ($name: String!) {getProjectByName(name: $name) {recordCount}}';
  const count = async () => (await ask(url, query, { name: project })).getProjectByName.recordCount;
  const expected = (await count()) + data.length;
  await post(url, `projects/${project}/spans`, { data });
  while ((await count()) < expected) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Waits until the evaluators of a project have this property. */
async function until(url, projectId, isReached) {
  const query = `query ($id: ID!) {node(id: $id) {... on Project {
    onlineEvaluators {waitingCount days {doneCount} backfills {settledCount}}}}}`;
  for (let attempt = 0; attempt < 600; attempt++) {
    const { node } = await ask(url, query, { id: projectId });
    if (isReached(node.onlineEvaluators)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The evaluators did not become as they must be');
}
