// Screens of the list of datasets, files for datasets, and labels, for screenshots.mjs.

const HEADER = 'id,question,answer,topic,split,difficulty\n';
const line = (index) =>
  `q${index},"How do I ""reset"" password ${index}?",Use the link,${index % 3 ? 'account' : 'billing'},${index % 5 ? 'train' : 'test'},${index % 10}\n`;
const lines = (count) => Array.from({ length: count }, (_, index) => line(index)).join('');

/** Creates labels and datasets. Returns entries of the list of screens. */
export async function datasetFileScreens(url) {
  const labels = [];
  for (const [name, color] of [
    ['golden', '#d9a30d'],
    ['regression', '#c93a4b'],
    ['a label with a very long name that does not fit', '#7a4fd1'],
  ]) {
    const create =
      'mutation ($input: CreateDatasetLabelInput!) {createDatasetLabel(input: $input) {datasetLabel {id}}}';
    labels.push((await ask(url, create, { input: { name, color } })).createDatasetLabel.datasetLabel.id);
  }
  for (const [index, name] of ['support', 'refund cases', 'a name of a dataset that goes on and on'].entries()) {
    const form = new FormData();
    form.append('name', name);
    form.append('description', index === 1 ? '' : 'Questions of customers, collected from traces of the last month');
    form.append('input_keys[]', 'question');
    form.append('output_keys[]', 'answer');
    form.append('metadata_keys[]', 'topic');
    form.append('split_key', 'split');
    form.append('example_id_key', 'id');
    form.append('file', new Blob([HEADER + lines(40)], { type: 'text/csv' }), 'file.csv');
    const response = await fetch(`${url}/v1/datasets/upload?sync=true`, { method: 'POST', body: form });
    const { data } = await response.json();
    const set = 'mutation ($input: SetDatasetLabelsInput!) {setDatasetLabels(input: $input) {__typename}}';
    await ask(url, set, { input: { datasetId: data.dataset_id, datasetLabelIds: labels.slice(0, index + 1) } });
  }
  const list = `${url}/datasets`;
  return [
    ['datasets', list, listed],
    ['datasets-menu', list, (tab) => tab.getByRole('button', { name: 'Actions for support' }).click()],
    ['datasets-labels', list, (tab) => choose(tab, 'Labels')],
    ['datasets-edit', list, (tab) => choose(tab, 'Edit')],
    ['datasets-delete', list, (tab) => choose(tab, 'Delete dataset')],
    ['datasets-none', `${list}?search=nothing`],
    ['dataset-file', list, openDialog],
    ['dataset-file-columns', list, (tab) => openFile(tab, `${lines(40)}short,row\n`)],
    ['dataset-file-rejected', list, rejectRows],
    ['dataset-file-plan', list, planChanges],
    ['settings-datasets', `${url}/settings/datasets`],
    ['settings-prompts', `${url}/settings/prompts`],
  ];
}

const listed = (tab) => tab.locator('.table-row').first().waitFor();

async function choose(tab, item) {
  await tab.getByRole('button', { name: 'Actions for support' }).click();
  await tab.getByRole('menuitem', { name: item, exact: true }).click();
  await tab.getByRole('dialog').waitFor();
}

async function openDialog(tab) {
  await tab.getByRole('button', { name: 'New dataset' }).click();
  await tab.getByRole('menuitem', { name: /From a file/ }).click();
}

const put = (tab, content) =>
  tab
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'questions.csv', mimeType: '', buffer: Buffer.from(HEADER + content) });

async function openFile(tab, content) {
  await openDialog(tab);
  await put(tab, content);
  await tab.getByRole('button', { name: /^topic/ }).waitFor();
}

async function rejectRows(tab) {
  await openFile(tab, `${lines(40)}short,row\n${line(3)}`);
  await tab.getByRole('button', { name: 'Create dataset' }).click();
  await tab.getByText('Nothing was stored').waitFor();
}

async function planChanges(tab) {
  await choose(tab, 'Update from a file');
  await put(
    tab,
    lines(30)
      .replaceAll('Use the link', 'Use the new link')
      .replace(/^q0.*\n/, line(99)),
  );
  await tab.getByRole('radio', { name: /^Delete examples/ }).check();
  await tab.getByRole('button', { name: 'Show changes' }).click();
  await tab.getByText(/^\d+ unchanged$/).waitFor();
}

async function ask(url, query, variables) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data;
}
