// Screens of dashboards, for screenshots.mjs: the built-in ones, one that is edited, its form, and a conflict.

const COUNT = { kind: 'figure', metric: 'spans', aggregates: ['count'] };

/** Screens of a project that has data. Creates a dashboard in it. */
export async function dashboardScreens(url, project) {
  const projectId = decodeURIComponent(new URL(project).pathname.split('/')[2]);
  const root = `${url}/dashboards/projects/${encodeURIComponent(projectId)}`;
  const range = '?timeRangeKey=1d';
  const create = async (name, panels) => {
    const query = 'mutation ($input: CreateDashboardInput!) {createDashboard(input: $input) {id revision}}';
    return (await ask(url, query, { input: { projectId, name, panels } })).createDashboard;
  };
  const ours = await create('Support team', [
    { ...COUNT, id: 'a', title: 'Answers', filter: "name == 'compose_answer'" },
    { ...COUNT, id: 'b', metric: 'latency', aggregates: ['p95'], filter: "span_kind == 'RETRIEVER'" },
    { id: 'c', kind: 'series', metric: 'latency', aggregates: ['p95'], groupBy: { column: 'kind' } },
    { id: 'd', kind: 'list', metric: 'spans', aggregates: ['count'], groupBy: { column: 'name' }, groupCount: 5 },
    { id: 'e', kind: 'series', metric: 'spans', aggregates: ['count'], groupBy: { column: 'name' }, style: 'bars' },
  ]);
  const empty = await create('Nothing yet', []);
  const address = `${root}/${encodeURIComponent(ours.id)}${range}`;
  return [
    ['dashboard-overview', `${root}/overview${range}`, loaded],
    ['dashboard-cost', `${root}/cost-and-tokens${range}`, loaded],
    ['dashboard-nothing', `${root}/overview?timeRangeStart=2020-01-01T00:00:00Z&timeRangeEnd=2020-01-02T00:00:00Z`],
    ['dashboard-empty', `${root}/${encodeURIComponent(empty.id)}${range}`],
    ['dashboard-own', address, loaded],
    ['dashboard-edit', address, startEditing],
    ['dashboard-form', address, openForm],
    ['dashboard-unsaved', address, changePanels],
    ['dashboard-projects', address, (tab) => tab.getByRole('button', { name: /^Project:/ }).click()],
    ['dashboard-actions', address, (tab) => tab.getByRole('button', { name: 'Actions of the dashboard' }).click()],
    ['dashboard-import', address, importBadFile],
    ['dashboard-conflict', address, (tab) => conflict(tab, url, ours)],
  ];
}

const loaded = (tab) => tab.locator('.chart-plot').first().waitFor();
const startEditing = (tab) => tab.getByRole('button', { name: 'Edit', exact: true }).click();

async function openForm(tab) {
  await startEditing(tab);
  await tab.getByRole('button', { name: /^Edit: P95 of latency by/ }).click();
  await tab.getByRole('dialog').locator('.chart-plot').waitFor();
}

async function changePanels(tab) {
  await startEditing(tab);
  await tab.getByRole('button', { name: 'Move Answers' }).press('ArrowRight');
}

async function importBadFile(tab) {
  await tab.getByRole('button', { name: 'Actions of the dashboard' }).click();
  await tab.getByRole('menuitem', { name: /^Import/ }).click();
  const panels = [
    { ...COUNT, title: 'Spend', metric: 'dollars' },
    { ...COUNT, columns: 7 },
  ];
  const text = JSON.stringify({ kind: 'spandrel.dashboard', version: 1, name: 'From a colleague', panels });
  await tab
    .locator('input[type=file]')
    .setInputFiles({ name: 'spend.dashboard.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await tab.getByRole('button', { name: 'Import', exact: true }).click();
  await tab.getByRole('alert').waitFor();
}

/** Another user saves the dashboard while this one edits it. */
async function conflict(tab, url, { id }) {
  await changePanels(tab);
  const query = '{projects(first: 100) {edges {node {dashboards {id revision}}}}}';
  const { projects } = await ask(url, query);
  const { revision } = projects.edges.flatMap(({ node }) => node.dashboards).find((each) => each.id === id);
  const change = 'mutation ($input: PatchDashboardInput!) {patchDashboard(input: $input) {revision}}';
  await ask(url, change, { input: { id, revision, description: `State ${revision}` } });
  await tab.getByRole('button', { name: 'Save', exact: true }).click();
  await tab.getByText('has saved this dashboard').waitFor();
}

async function ask(url, query, variables = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data;
}
