import assert from 'node:assert/strict';
import { graphql } from '../seed.ts';

/** Another client that creates and deletes datasets, experiments and prompts. */
export function dataClient(url: string) {
  const ask = <Data>(query: string, input: object = {}) => graphql<Data>(url, query, input);
  const send = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, text);
    return (text === '' ? undefined : JSON.parse(text).data) as Data;
  };
  const post = <Data>(path: string, body: object) => send<Data>('POST', path, body);
  const createExperiment = async (datasetId: string, name: string): Promise<string> => {
    const { id } = await post<{ id: string }>(`datasets/${datasetId}/experiments`, { name });
    const { examples } = await send<{ examples: { id: string }[] }>('GET', `datasets/${datasetId}/examples`);
    for (const example of examples) {
      await post(`experiments/${id}/runs`, {
        ...{ dataset_example_id: example.id, repetition_number: 1, output: name },
        ...{ start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T00:00:01Z' },
      });
    }
    return id;
  };
  return {
    ask,
    createExperiment,
    /** Creates a dataset. Returns its ID. */
    async createDataset(name: string, exampleCount = 1): Promise<string> {
      const inputs = Array.from({ length: exampleCount }, (_, index) => ({ question: `why ${index}?` }));
      const body = { action: 'create', name, inputs, outputs: inputs.map(() => ({ answer: 'so' })) };
      return (await post<{ dataset_id: string }>('datasets/upload?sync=true', body)).dataset_id;
    },
    deleteDataset: (id: string) =>
      ask('mutation ($id: ID!) { deleteDataset(input: { datasetId: $id }) { __typename } }', { id }),
    deleteExperiment: (id: string) => send('DELETE', `experiments/${id}`),
    /** Creates a prompt with one version and the tag `live`. Returns the IDs of both. */
    async createPrompt(name: string) {
      const template = { type: 'chat', messages: [{ role: 'user', content: 'Hello' }] };
      const version = await post<{ id: string }>('prompts', {
        prompt: { name },
        version: {
          ...{ model_provider: 'OPENAI', model_name: 'gpt-4o', template_type: 'CHAT', template_format: 'MUSTACHE' },
          ...{ template, invocation_parameters: { type: 'openai', openai: {} } },
        },
      });
      await post(`prompt_versions/${version.id}/tags`, { name: 'live' });
      const { prompts } = await ask<{ prompts: { edges: { node: { id: string; name: string } }[] } }>(
        '{ prompts(first: 100) { edges { node { id name } } } }',
      );
      return { id: prompts.edges.find(({ node }) => node.name === name)!.node.id, versionId: version.id };
    },
    deletePrompt: (id: string) =>
      ask('mutation ($id: ID!) { deletePrompt(input: { promptId: $id }) { __typename } }', { id }),
  };
}
