import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpAfter } from '../../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../../src/api/contract/global-id.ts';
import {
  startVendorEndpoint,
  type VendorEndpoint,
  type VendorEndpointOptions,
} from '../../../vendor-endpoint/vendor-endpoint.ts';
import { openTestServer, type TestServer } from '../../test-server.ts';
import { experimentFixtures } from '../experiment-fixtures.ts';
import { ACCEPT, type Payload, readPayloads } from '../subscriptions/stream-readers.ts';

const SUBSCRIPTION = `subscription ($input: ChatCompletionOverDatasetInput!) {
  chatCompletionOverDataset(input: $input) { __typename datasetExampleId repetitionNumber
    ... on ChatCompletionSubscriptionExperiment { experiment { id projectName } }
    ... on ChatCompletionSubscriptionResult { span { id } experimentRun { id output traceId } }
    ... on ChatCompletionSubscriptionError { message }
    ... on EvaluationChunk { evaluatorName error experimentRunEvaluation { label score } trace { id } }
  } }`;

const JOB = `... on Experiment { runCount job { status stopReason budget { maxCost callCount cost }
  progress { taskCount doneTaskCount failedTaskCount doneEvaluationCount failedEvaluationCount } lastError { message } } }`;

// biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
type Json = any;

export type JobServer = Awaited<ReturnType<typeof openJobServer>>;

/** A server with an endpoint of models, and runs over datasets of it. */
export async function openJobServer(
  t: { after(work: () => Promise<void>): void },
  {
    endpoint: endpointOptions = {},
    variables,
  }: { readonly endpoint?: VendorEndpointOptions; readonly variables?: Readonly<Record<string, string>> } = {},
) {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const endpoint: VendorEndpoint = await startVendorEndpoint(endpointOptions);
  cleanUp(() => endpoint.close());
  const server: TestServer = await openTestServer(
    { after: cleanUp },
    { settings: { ALLOW_PRIVATE_MODEL_ADDRESSES: 'true' }, ...(variables && { variables }) },
  );
  const fixtures = experimentFixtures(server.ports);

  const read = async (id: string): Promise<Json> =>
    (await server.ask(`query ($id: ID!) { node(id: $id) { ${JOB} } }`, { id })).node;
  const subscribe = (input: object): Promise<Response> =>
    fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT.multipart },
      body: JSON.stringify({ query: SUBSCRIPTION, variables: { input } }),
    });

  return {
    ...{ endpoint, server, fixtures, read },
    /** Input of a run over a new dataset of so many examples `{"n": …}`. */
    async inputOf(exampleCount: number, text: string, more: object = {}, prompt: object = {}) {
      const dataset = await fixtures.createDataset(exampleCount);
      return {
        promptVersion: {
          templateFormat: 'MUSTACHE',
          template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
          invocationParameters: { openai: {} },
          modelProvider: 'OPENAI',
          modelName: 'gpt-4o',
          ...prompt,
        },
        connectionConfig: { baseUrl: `${endpoint.url}/v1` },
        repetitions: 1,
        datasetId: toGlobalId('Dataset', dataset.rowId),
        ...more,
      };
    },
    /** Payloads of a run, or the errors in their place. */
    async run(input: object): Promise<Json[]> {
      const response = await subscribe(input);
      if (response.headers.get('content-type') === 'application/json') throw new Error(await response.text());
      const payloads = await readPayloads(response);
      return payloads.map(({ data, errors }: Payload) => data?.chatCompletionOverDataset ?? errors);
    },
    /** Resolves when the job does not run any more. */
    async ended(id: string): Promise<Json> {
      for (;;) {
        const experiment = await read(id);
        if (experiment.job.status !== 'RUNNING') return experiment;
        await sleep(10);
      }
    },
    /** The newest experiment of a dataset. */
    async newestOf(datasetId: string): Promise<string> {
      const { node } = await server.ask(
        `{ node(id: "${datasetId}") { ... on Dataset { experiments { edges { node { id } } } } } }`,
      );
      return node.experiments.edges[0].node.id;
    },
  };
}

export const typesOf = (payloads: readonly Json[], type: string): Json[] =>
  payloads.filter(({ __typename }) => __typename === `ChatCompletionSubscription${type}` || __typename === type);
