import type { TaskVariables } from '../../../model/playground/chat-task.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { type ChatPromptVersionInput, checkObject, toContent } from '../prompts/prompt-input.ts';
import type { Resolvers } from '../resolvers.ts';

interface EstimateInput {
  readonly promptVersions: readonly ChatPromptVersionInput[];
  readonly datasetId?: string | null;
  readonly datasetVersionId?: string | null;
  readonly splitIds?: readonly string[] | null;
  readonly templateVariablesPath?: string | null;
  readonly appendedMessagesPath?: string | null;
  readonly variables?: readonly unknown[] | null;
  readonly caseCount?: number | null;
  readonly repetitions: number;
  readonly maxConcurrency: number;
  readonly evaluatorIds: readonly string[];
}

export const runEstimateQueries: Resolvers = {
  async estimateRun(_source, { input }: { readonly input: EstimateInput }, { domain, items }: GraphqlContext) {
    const { variants, evaluators, caseCount, sampledCaseCount, unrenderedCaseCount, ...total } =
      await domain.playground.estimateRun({
        variants: input.promptVersions.map(toContent),
        cases: input.datasetId ? await examplesOf(input, input.datasetId, domain) : variablesOf(input),
        repetitions: input.repetitions,
        maxConcurrency: input.maxConcurrency,
        datasetEvaluatorRowIds: rowIdsOfNodes('DatasetEvaluator', input.evaluatorIds),
      });
    items.take(variants.length);
    return { total, variants, evaluators, caseCount, sampledCaseCount, unrenderedCaseCount };
  },
};

async function examplesOf(input: EstimateInput, datasetId: string, { datasets }: GraphqlContext['domain']) {
  const datasetRowId = rowIdOfNode('Dataset', datasetId);
  const versionRowId = input.datasetVersionId
    ? rowIdOfNode('DatasetVersion', input.datasetVersionId)
    : (await datasets.findLatestVersionIds([datasetRowId])).get(datasetRowId);
  if (versionRowId === undefined) return reject(`No versions found for the dataset ${datasetId}`);
  const splitRowIds = rowIdsOfNodes('DatasetSplit', input.splitIds ?? []);
  return {
    examples: { datasetRowId, versionRowId, ...(splitRowIds.length > 0 && { splitRowIds }) },
    paths: {
      templateVariables: input.templateVariablesPath ?? '',
      appendedMessages: input.appendedMessagesPath || null,
    },
  };
}

function variablesOf({ variables, caseCount }: EstimateInput) {
  const given = (variables ?? []).map((one): TaskVariables => checkObject('variables', one));
  return { count: caseCount ?? given.length, variables: given };
}
