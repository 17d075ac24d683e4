import assert from 'node:assert/strict';
import { type CleanUp, openTestStore } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { countCalls } from '../count-calls.ts';
import { openTestServer } from '../test-server.ts';
import { BINDING, CONFIG, categorical, mapping, promptOf } from './evaluator-fixtures.ts';
import { experimentFixtures } from './experiment-fixtures.ts';

const mutation = (name: string, inputType: string) =>
  `mutation ($input: ${inputType}!) { ${name}(input: $input) { evaluator { ${BINDING} } } } ${CONFIG}`;
export const CREATE_BUILT_IN = mutation('createDatasetBuiltinEvaluator', 'CreateDatasetBuiltinEvaluatorInput');
export const UPDATE_BUILT_IN = mutation('updateDatasetBuiltinEvaluator', 'UpdateDatasetBuiltinEvaluatorInput');
export const CREATE_LLM = mutation('createDatasetLlmEvaluator', 'CreateDatasetLLMEvaluatorInput');
export const UPDATE_LLM = mutation('updateDatasetLlmEvaluator', 'UpdateDatasetLLMEvaluatorInput');
export const DELETE = `mutation ($input: DeleteDatasetEvaluatorsInput!) { deleteDatasetEvaluators(input: $input) {
  datasetEvaluatorIds query { evaluatorCount } } }`;
export const DELETE_EVALUATORS = `mutation ($input: DeleteEvaluatorsInput!) { deleteEvaluators(input: $input) { evaluatorIds } }`;
export const DELETE_PROMPT = `mutation ($input: DeletePromptInput!) { deletePrompt(input: $input) { query { promptCount } } }`;

export type EvaluatorServer = Awaited<ReturnType<typeof openEvaluatorServer>>;

/** GraphQL over HTTP on real stores, with the built-in evaluators, and helpers for tests of evaluators. */
export async function openEvaluatorServer(cleanUp: CleanUp) {
  let isLocked = false;
  const server = await openTestServer(
    { after: cleanUp },
    { storageLock: () => (isLocked ? 'The storage is full' : undefined) },
  );
  const url = server.databaseUrl;
  const { db } = await openTestStore(cleanUp, { url });
  const asked = countCalls(server.domain.evaluators);
  const { builtInEvaluators } = await server.ask('{ builtInEvaluators { id name } }');
  const builtIns: Record<string, string> = Object.fromEntries(
    builtInEvaluators.map(({ id, name }: { id: string; name: string }) => [name, id]),
  );
  const fixtures = experimentFixtures(server.ports);
  /** The input of a valid LLM evaluator, of which tests change a part. */
  const llmInput = (datasetId: string, over: object = {}) => ({
    datasetId,
    name: 'judge',
    description: 'how good it is',
    promptVersion: promptOf(),
    outputConfigs: [categorical('quality')],
    inputMapping: mapping(),
    ...over,
  });
  const node = async (id: string, type: string, fields: string) =>
    (await server.ask(`query ($id: ID!) { node(id: $id) { ... on ${type} { ${fields} } } }`, { id })).node;
  const namesOf = (connection: { edges: { node: { name: string } }[] }) =>
    connection.edges.map((edge) => edge.node.name);
  return {
    server,
    db,
    url,
    asked,
    /** Global IDs by name. */
    builtIns,
    fixtures,
    setLocked(locked: boolean) {
      isLocked = locked;
    },
    newDataset: async () => toGlobalId('Dataset', (await fixtures.createDataset(1)).rowId),
    async bindBuiltIn(datasetId: string, { key = 'contains', ...over }: Readonly<Record<string, unknown>> = {}) {
      const input = { datasetId, evaluatorId: builtIns[String(key)], name: 'bound', ...over };
      return (await server.ask(CREATE_BUILT_IN, { input })).createDatasetBuiltinEvaluator.evaluator;
    },
    llmInput,
    bindLlm: async (datasetId: string, over: object = {}) =>
      (await server.ask(CREATE_LLM, { input: llmInput(datasetId, over) })).createDatasetLlmEvaluator.evaluator,
    updateLlm: async (datasetId: string, datasetEvaluatorId: string, over: object = {}) =>
      (await server.ask(UPDATE_LLM, { input: { ...llmInput(datasetId, over), datasetEvaluatorId } }))
        .updateDatasetLlmEvaluator.evaluator,
    /** The one error of a mutation. */
    async refusal(text: string, input: object): Promise<string> {
      const { errors } = await server.post(text, { input });
      assert.equal(errors?.length, 1, JSON.stringify(errors));
      return errors[0]!;
    },
    node,
    bindingsOf: async (datasetId: string, args = ''): Promise<string[]> =>
      namesOf(
        (await node(datasetId, 'Dataset', `datasetEvaluators${args} { edges { node { name } } }`)).datasetEvaluators,
      ),
    projectNames: async (): Promise<string[]> =>
      namesOf((await server.ask('{ projects(first: 1000) { edges { node { name } } } }')).projects),
  };
}
