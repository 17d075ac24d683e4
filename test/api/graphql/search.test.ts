import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestServer } from '../test-server.ts';
import { experimentFixtures } from './experiment-fixtures.ts';

test('a search finds projects, datasets, experiments and prompts by name or description, names first', async (t) => {
  const found = await openTestServer(t);
  const { projects, datasets, experiments } = found.ports;
  const { createDataset, createExperiment } = experimentFixtures(found.ports);
  const search = async (query: string, limitPerType?: number) => {
    const { data, errors } = await found.post(
      `query ($query: String!, $limit: Int! = 5) { searchResources(query: $query, limitPerType: $limit) {
         __typename ... on Project { name } ... on Dataset { name } ... on Experiment { name } ... on Prompt { prompt: name } } }`,
      { query, ...(limitPerType !== undefined && { limit: limitPerType }) },
    );
    return (
      errors ?? data.searchResources.map((one: Record<string, string>) => `${one.__typename} ${one.name ?? one.prompt}`)
    );
  };
  await projects.create({ name: 'about', description: 'has 50%_Needle' });
  for (let number = 0; number < 30; number++)
    await projects.create({ name: `50%_nEEdle ${number}`, description: null });
  const dataset = await createDataset(1);
  await datasets.update(dataset.rowId, { name: 'x50%_needle', description: 'its name' });
  await createExperiment(dataset, '50%_NEEDLE');
  await experiments.setEphemeral(await createExperiment(dataset, '50%_needle dismissed'), true);
  await found.ask(
    `mutation { createChatPrompt(input: { name: "a-prompt", description: "the 50%_needle", promptVersion: { templateFormat: NONE,
       template: { messages: [] }, invocationParameters: { openai: {} }, modelProvider: OPENAI, modelName: "m" } }) { id } }`,
  );

  assert.deepEqual(await search('  50%_needle ', 2), [
    'Project 50%_nEEdle 29',
    'Project 50%_nEEdle 28',
    'Dataset x50%_needle',
    'Experiment 50%_NEEDLE',
    'Prompt a-prompt',
  ]);
  assert.equal((await search('50%_NEEDLE')).length, 8);
  assert.equal((await search('50%_needle', 1_000)).filter((name: string) => name.startsWith('Project')).length, 25);
  assert.deepEqual(await search('needle 29'), ['Project 50%_nEEdle 29']);
  assert.deepEqual(await search('50x'), []);
  assert.deepEqual(await search(' \t'), []);
  assert.deepEqual(await search('x', 0), ['limitPerType must be a positive integer']);
});
