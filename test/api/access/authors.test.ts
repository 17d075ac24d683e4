import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, query } from '../../metadata-store/fixtures.ts';
import { rowIdOf } from '../../../src/api/contract/global-id.ts';
import { openai } from '../../e2e/provider-configs.ts';
import { categorical, mapping, promptOf } from '../graphql/evaluator-fixtures.ts';
import { type AuthorServer, annotate, ask, call, listed, openAuthorServer, type UserClient } from './author-server.ts';
import type { Client } from './signed-in-server.ts';

let server: AuthorServer;
let ann: UserClient;
let ben: UserClient;
let targets: AuthorServer['targets'];
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openAuthorServer({ after: cleanUp });
  ({ ann, ben, targets } = server);
});

const byInput = (name: string, type: string, fields: string) =>
  `mutation ($input: ${type}!) {made: ${name}(input: $input) {${fields}}}`;

const REST_VERSION = {
  model_provider: 'OPENAI',
  model_name: 'm',
  template: { type: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
  template_type: 'CHAT',
  template_format: 'MUSTACHE',
  invocation_parameters: { type: 'openai', openai: {} },
};
const GRAPHQL_VERSION = {
  modelProvider: 'OPENAI',
  modelName: 'm',
  template: { messages: [{ role: 'USER', content: [{ text: { text: 'Hi' } }] }] },
  templateFormat: 'MUSTACHE',
  invocationParameters: { openai: {} },
};

/** A dataset with a label, a split and an experiment with a tag, and a prompt with a tag. */
async function createOverRest(by: Client, name: string) {
  const upload = { name, inputs: [{ q: 1 }], splits: [`split of ${name}`] };
  const { dataset_id: datasetId } = await call(by, 'POST', '/v1/datasets/upload?sync=true', upload);
  await call(by, 'POST', '/v1/dataset_labels', { name: `label of ${name}`, color: '#000000' });
  const experiment = await call(by, 'POST', `/v1/datasets/${datasetId}/experiments`, { name });
  await call(by, 'POST', `/v1/experiments/${experiment.id}/tags`, { name: 'baseline' });
  const version = await call(by, 'POST', '/v1/prompts', { prompt: { name }, version: REST_VERSION });
  await call(by, 'POST', `/v1/prompt_versions/${version.id}/tags`, { name: 'production' });
  return { datasetId, experimentId: experiment.id, versionId: version.id };
}

const authorsIn = async (table: string): Promise<(number | null)[]> =>
  (await query(server.databaseUrl, `select distinct user_id::int as id from ${table} order by 1`)).map(
    (row) => (row as { id: number | null }).id,
  );

describe('the author of what a user writes', () => {
  test('is stored in every table whose rows have one, over both APIs, and is shown with a name', async () => {
    const made = await createOverRest(ben, 'ben');
    const { datasetId } = made;
    const dataset = (
      await ask(ann, byInput('createDataset', 'CreateDatasetInput', 'dataset {id}'), { input: { name: 'ann' } })
    ).made.dataset.id;
    const examples = [{ input: {}, output: {}, metadata: {} }];
    for (const id of [dataset, datasetId]) {
      const input = { datasetId: id, examples };
      await ask(ann, byInput('addExamplesToDataset', 'AddExamplesToDatasetInput', 'dataset {id}'), { input });
    }
    await ask(ann, byInput('createDatasetSplit', 'CreateDatasetSplitInput', 'datasetSplit {id}'), {
      input: { name: 'of ann', color: '#000000' },
    });
    await ask(ann, byInput('createDatasetLabel', 'CreateDatasetLabelInput', 'datasetLabel {id}'), {
      input: { name: 'of ann', color: '#000000' },
    });
    await ask(ann, byInput('createChatPrompt', 'CreateChatPromptInput', 'id'), {
      input: { name: 'ann', promptVersion: GRAPHQL_VERSION },
    });
    await call(ann, 'POST', `/v1/datasets/${datasetId}/experiments`, {});
    await call(ann, 'POST', `/v1/experiments/${made.experimentId}/tags`, { name: 'other' });
    const llm = await ask(
      ann,
      byInput(
        'createDatasetLlmEvaluator',
        'CreateDatasetLLMEvaluatorInput',
        'evaluator {id user {username} evaluator {... on LLMEvaluator {user {username}}}}',
      ),
      {
        input: {
          datasetId,
          name: 'judge',
          description: 'how good it is',
          promptVersion: promptOf(),
          outputConfigs: [categorical('quality')],
          inputMapping: mapping(),
        },
      },
    );
    const provider = await ask(
      ann,
      byInput(
        'createGenerativeModelCustomProvider',
        'CreateGenerativeModelCustomProviderMutationInput',
        'provider {user {username}}',
      ),
      {
        input: { name: 'own', provider: 'openai', clientConfig: openai('sk-1') },
      },
    );
    const projectId = (await ask(ann, '{project: getProjectByName(name: "default") {id}}')).project.id;
    await ask(ann, byInput('saveView', 'SaveViewInput', 'id'), {
      input: { projectId, tab: 'spans', name: 'v', search: '', layout: '' },
    });
    await ask(ann, byInput('createDashboard', 'CreateDashboardInput', 'id'), {
      input: { projectId, name: 'd', panels: [] },
    });

    const [annRow, benRow] = [rowIdOf('User', ann.id), rowIdOf('User', ben.id)];
    for (const table of [
      'datasets',
      'dataset_versions',
      'dataset_splits',
      'dataset_labels',
      'experiments',
      'experiment_tags',
      'prompt_versions',
      'prompt_version_tags',
    ]) {
      assert.deepEqual(await authorsIn(table), [annRow, benRow], table);
    }
    // A tag that is set again on its version does not move.
    assert.deepEqual(await authorsIn('prompt_tag_moves'), [benRow]);
    for (const table of ['dataset_evaluators', 'generative_model_custom_providers', 'saved_views', 'dashboards']) {
      assert.deepEqual(await authorsIn(table), [annRow], table);
    }
    assert.deepEqual(await authorsIn(`evaluators where kind = 'LLM'`), [annRow]);

    const shown = { user: { username: 'ann' } };
    assert.deepEqual({ ...llm.made.evaluator, id: undefined }, { id: undefined, ...shown, evaluator: shown });
    assert.deepEqual(provider.made.provider, shown);
    const found = await ask(
      ann,
      `query ($dataset: ID!, $experiment: ID!, $version: ID!) {
        dataset: node(id: $dataset) {... on Dataset {createdBy {username} updatedBy {username}}}
        experiment: node(id: $experiment) {... on Experiment {user {username}}}
        version: node(id: $version) {... on PromptVersion {user {username} tags {user {username}}}}
        prompts {edges {node {name createdBy {username} updatedBy {username}}}}}`,
      { dataset: datasetId, experiment: made.experimentId, version: made.versionId },
    );
    const byBen = { username: 'ben' };
    assert.deepEqual(found.dataset, { createdBy: byBen, updatedBy: { username: 'ann' } });
    assert.deepEqual(found.experiment, { user: byBen });
    assert.deepEqual(found.version, { user: byBen, tags: [{ user: byBen }] });
    const prompt = found.prompts.edges.find(({ node }: { node: { name: string } }) => node.name === 'ben').node;
    assert.deepEqual(prompt, { name: 'ben', createdBy: byBen, updatedBy: byBen });
  });

  test('of a tag is the user who set it last', async () => {
    const { versionId } = await createOverRest(ben, 'tagged');
    await call(ann, 'POST', `/v1/prompt_versions/${versionId}/tags`, { name: 'production' });
    const { node } = await ask(ben, `{node(id: "${versionId}") {... on PromptVersion {tags {user {username}}}}}`);
    assert.deepEqual(node.tags, [{ user: { username: 'ann' } }]);
  });

  test('is the internal account for system keys and the admin secret', async () => {
    const { made } = await ask(ann, byInput('createSystemApiKey', 'CreateApiKeyInput', 'jwt'), {
      input: { name: 'exporter' },
    });
    for (const client of [server.as({ bearer: made.jwt }), server.admin]) {
      await annotate(client, 'by-system');
      const [annotation] = await listed(ben, 'by-system');
      const [system] = await query(server.databaseUrl, `select id::int from users where role = 'SYSTEM'`);
      assert.equal(rowIdOf('User', annotation!.user_id!), (system as { id: number }).id);
    }
    const { node } = await ask(
      ben,
      `{node(id: "${targets.span}") {... on Span {
        found: spanAnnotations(filter: {include: {names: ["by-system"], userIds: [null]}}) {user {username}}}}}`,
    );
    assert.deepEqual(node.found, [{ user: { username: 'system' } }], 'filters have null for it');
  });

  test('has an email for himself and administrators alone, also in examples that are made of annotated spans', async () => {
    const id = await annotate(ann, 'with-email');
    const email = async (by: Client) =>
      (await ask(by, `{node(id: "${id}") {... on SpanAnnotation {user {username email}}}}`)).node.user;
    assert.deepEqual(await email(ben), { username: 'ann', email: null });
    assert.deepEqual(await email(ann), { username: 'ann', email: 'ann@example.com' });
    const denied = await ben.graphql(`{node(id: "${ann.id}") {... on User {username}}}`);
    assert.equal(denied.errors.length, 1);

    const { made } = await ask(ben, byInput('createDataset', 'CreateDatasetInput', 'dataset {id}'), {
      input: { name: 'of spans' },
    });
    const { added } = await ask(
      ben,
      `mutation ($input: AddSpansToDatasetInput!) {added: addSpansToDataset(input: $input) {
        dataset {examples {edges {node {revision {metadata}}}}}}}`,
      { input: { datasetId: made.dataset.id, spanIds: [targets.span] } },
    );
    const [annotation] = added.dataset.examples.edges[0].node.revision.metadata.annotations['with-email'];
    assert.deepEqual([annotation.user_id, annotation.username, annotation.email], [ann.id, 'ann', null]);
  });
});

describe('a deleted user', () => {
  test('leaves the work, without an author', async () => {
    const leaving = await server.newClient('leaving', 'MEMBER');
    const { datasetId, versionId } = await createOverRest(leaving, 'left');
    const annotationId = await annotate(leaving, 'left');
    await call(ann, 'DELETE', `/v1/users/${leaving.id}`);
    const found = await ask(
      ben,
      `{dataset: node(id: "${datasetId}") {... on Dataset {createdBy {id} updatedBy {id}}}
        version: node(id: "${versionId}") {... on PromptVersion {user {id} tags {user {id}}}}
        annotation: node(id: "${annotationId}") {... on SpanAnnotation {user {id}}}
        span: node(id: "${targets.span}") {... on Span {
          of: spanAnnotations(filter: {include: {names: ["left"], userIds: ["${leaving.id}"]}}) {id}
          none: spanAnnotations(filter: {include: {names: ["left"], userIds: [null]}}) {id}}}}`,
    );
    assert.deepEqual(found, {
      dataset: { createdBy: null, updatedBy: null },
      version: { user: null, tags: [{ user: null }] },
      annotation: { user: null },
      span: { of: [], none: [{ id: annotationId }] },
    });
    assert.deepEqual(
      (await listed(ben, 'left')).map(({ user_id }) => user_id),
      [null],
    );
  });
});
