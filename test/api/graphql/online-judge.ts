import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openVendorEndpoint, type VendorEndpointOptions } from '../../vendor-endpoint/vendor-endpoint.ts';
import { openTestServer } from '../test-server.ts';
import { categorical, promptOf } from './evaluator-fixtures.ts';
import { CREATE_LLM } from './evaluator-server.ts';
import { experimentFixtures } from './experiment-fixtures.ts';

const MAPPING = { pathMapping: { output: '$.output' }, literalMapping: {} };

/** Opens a server whose project `judged` has an LLM evaluator of its spans, `quality`, and no spans yet. */
export async function openOnlineJudge(
  t: { after(work: () => Promise<void>): void },
  vendorOptions: VendorEndpointOptions = {},
) {
  const vendor = await openVendorEndpoint(t, vendorOptions);
  const server = await openTestServer(t, {
    variables: { OPENAI_API_KEY: 'sk-judge', OPENAI_BASE_URL: vendor.url },
  });
  const dataset = await experimentFixtures(server.ports).createDataset(1);
  const { evaluator: bound } = (
    await server.ask(CREATE_LLM, {
      input: {
        ...{ datasetId: toGlobalId('Dataset', dataset.rowId), name: 'judge', description: 'how good it is' },
        ...{ promptVersion: promptOf(), outputConfigs: [categorical('quality')], inputMapping: MAPPING },
      },
    })
  ).createDatasetLlmEvaluator;
  await server.ask('mutation { createProject(input: { name: "judged" }) { project { id } } }');
  const projectId: string = (await server.ask('{ getProjectByName(name: "judged") { id } }')).getProjectByName.id;
  /** Adds the evaluator to the project. It annotates what arrives from then on. Returns its ID. */
  const addEvaluator = async (): Promise<string> =>
    (
      await server.ask(
        'mutation ($input: CreateOnlineEvaluatorInput!) { createOnlineEvaluator(input: $input) { id } }',
        { input: { projectId, evaluatorId: bound.evaluator.id, name: 'quality', inputMapping: MAPPING } },
      )
    ).createOnlineEvaluator.id;
  return { vendor, server, projectId, addEvaluator };
}

/** One span per output, each in a trace of its own. */
export const spansToJudge = (outputs: readonly string[]) => {
  const at = BigInt(Date.now()) * 1_000_000n;
  return outputs.map((output, index) => ({
    traceId: String(index + 1).padStart(32, '0'),
    spanId: String(index + 1).padStart(16, '0'),
    project: 'judged',
    start: at,
    end: at + 1_000n,
    input: 'question',
    output,
  }));
};
