// Screens of examples, versions, experiments and prompts, for screenshots.mjs: with the sample, and with nothing.

/** Creates the sample, and changes the sample dataset. Returns entries of the list of screens. */
export async function dataScreens(url) {
  const { createSample } = await ask(
    url,
    'mutation {createSample {dataset {id} experiments {id} prompt {id promptVersions {edges {node {id}}}}}}',
  );
  const { dataset, experiments, prompt } = createSample;
  const node = encodeURIComponent(dataset.id);
  const place = `${url}/datasets/${node}`;
  const { node: found } = await ask(
    url,
    'query ($id: ID!) {node(id: $id) {... on Dataset {exampleIds(limit: 3) versions {edges {node {id}}}}}}',
    { id: dataset.id },
  );
  const [first, second, third] = found.exampleIds;
  await ask(url, 'mutation ($input: SaveDatasetExamplesInput!) {saveDatasetExamples(input: $input) {__typename}}', {
    input: {
      datasetId: dataset.id,
      patches: [{ exampleId: second, output: '{"answer": "Within 30 days, unless the soles show marks."}' }],
      deletions: [{ exampleId: third }],
      additions: [
        { input: '{"question": "Do you ship to Norway?"}', output: '{"answer": "Not yet."}', metadata: '{}' },
      ],
      versionDescription: 'Corrected the answer about worn boots',
    },
  });
  const { createDataset } = await ask(url, 'mutation {createDataset(input: {name: "nothing in it"}) {dataset {id}}}');
  const empty = `${url}/datasets/${encodeURIComponent(createDataset.dataset.id)}`;
  const prompts = `${url}/prompts/${encodeURIComponent(prompt.id)}`;
  const versions = prompt.promptVersions.edges.map(({ node: { id } }) => id);
  const version = `${prompts}/versions/${encodeURIComponent(versions[0])}`;
  const examples = `${place}/examples`;
  const list = `${place}/experiments`;
  return [
    ['examples', examples, listed],
    ['examples-keys', `${examples}?columns=input.question,output.answer,metadata.topic`, (tab) => press(tab, /^Keys/)],
    ['examples-selected', examples, (tab) => tab.getByLabel('Select row').nth(2).click()],
    ['examples-edit', examples, editFirst],
    ['examples-unsaved', `${examples}/${encodeURIComponent(first)}`, editInDrawer],
    ['examples-nothing', `${examples}?filter=no+such+text`],
    ['examples-empty', `${empty}/examples`],
    ['examples-add', examples, (tab) => press(tab, 'Add example')],
    ['example', `${examples}/${encodeURIComponent(first)}`],
    ['versions', `${place}/versions`],
    ['versions-diff', `${place}/versions`, (tab) => tab.getByRole('button', { name: 'Changes' }).first().click()],
    ['versions-restore', `${place}/versions`, (tab) => tab.getByRole('button', { name: 'Restore' }).first().click()],
    ['experiments', list, listed],
    ['experiments-selected', list, selectTwo],
    ['experiments-menu', list, (tab) => tab.getByRole('button', { name: /^Actions for Version 2/ }).click()],
    ['experiments-empty', `${empty}/experiments`],
    ['experiment', `${list}/${encodeURIComponent(experiments[1].id)}`],
    ['metrics-of-dataset', `${place}/metrics`],
    ['prompts', `${url}/prompts`, listed],
    ['prompts-none', `${url}/prompts?search=nothing`],
    ['prompts-menu', `${url}/prompts`, (tab) => tab.getByRole('button', { name: /^Actions for sample/ }).click()],
    ['prompt', prompts],
    ['prompt-versions', `${prompts}/versions`],
    ['prompt-version', version],
    ['prompt-changes', `${version}?view=changes`],
    ['prompt-tag', version, (tab) => press(tab, 'Tag')],
    ['prompt-production', `${prompts}/production`],
    ['prompt-config', `${prompts}/config`],
  ];
}

/** Areas without any data, of a server of their own. */
export const emptyScreens = (url) => [
  ['datasets-empty', `${url}/datasets`],
  ['prompts-empty', `${url}/prompts`],
  ['evaluators-nothing', `${url}/evaluators`],
  ['dashboards-empty', `${url}/dashboards`],
];

const press = (tab, name) => tab.getByRole('button', { name, exact: typeof name === 'string' }).click();
const listed = (tab) => tab.locator('.table-row').first().waitFor();

async function editFirst(tab) {
  await listed(tab);
  await tab.locator('.table-row').first().hover();
  await tab
    .getByRole('button', { name: /^Edit output/ })
    .first()
    .click();
  await tab.locator('.editor textarea').fill('{"answer": }');
}

async function editInDrawer(tab) {
  await tab.getByRole('complementary', { name: 'Example' }).getByRole('button', { name: 'Edit' }).nth(1).click();
  await tab.locator('.editor textarea').fill('{"answer": "Yes, within 30 days."}');
  await tab.getByRole('button', { name: 'Apply' }).click();
}

async function selectTwo(tab) {
  for (const index of [0, 1]) await tab.getByLabel('Select row').nth(index).click();
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
