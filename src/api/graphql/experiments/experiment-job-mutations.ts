import type { JobBudget } from '../../../model/experiment-job.ts';
import { type ErrorTexts, withTexts } from '../../contract/error-texts.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { type CredentialInput, toCredentials } from '../playground/connection-input.ts';
import { experimentJobRef, type Resolvers } from '../resolvers.ts';

export interface BudgetInput {
  readonly maxCalls?: number | null;
  readonly maxCost?: number | null;
}

interface ResumeArguments {
  readonly experimentId: string;
  readonly credentials?: readonly CredentialInput[] | null;
  readonly budget?: BudgetInput | null;
}

interface StartInput extends ResumeArguments {
  readonly datasetEvaluatorIds: readonly string[];
}

/** An experiment without a job has the same response as an unknown one. */
const ABSENT: ErrorTexts = { EXPERIMENT_JOB_NOT_FOUND: ({ ids }) => `Experiment ${ids} not found` };

export const experimentJobMutations: Resolvers = {
  async stopExperiment(_source, { experimentId }: { readonly experimentId: string }, context: GraphqlContext) {
    const rowId = rowIdOfNode('Experiment', experimentId);
    await withTexts(ABSENT, () => context.domain.experiments.stopJob(rowId));
    context.invalidateReads();
    return { job: experimentJobRef(rowId) };
  },
  async resumeExperiment(_source, { experimentId, credentials, budget }: ResumeArguments, context: GraphqlContext) {
    const rowId = rowIdOfNode('Experiment', experimentId);
    await withTexts(ABSENT, () =>
      context.domain.experiments.resumeJob(rowId, {
        credentials: toCredentials(credentials),
        budget: toBudget(budget),
      }),
    );
    context.invalidateReads();
    return { job: experimentJobRef(rowId) };
  },
  async startExperimentEvaluations(_source, { input }: { readonly input: StartInput }, context: GraphqlContext) {
    const rowId = rowIdOfNode('Experiment', input.experimentId);
    const evaluators = rowIdsOfNodes('DatasetEvaluator', input.datasetEvaluatorIds);
    await context.domain.experiments.startEvaluations(rowId, evaluators, {
      credentials: toCredentials(input.credentials),
      budget: toBudget(input.budget),
    });
    context.invalidateReads();
    return { job: experimentJobRef(rowId) };
  },
};

export const toBudget = (input: BudgetInput | null | undefined): JobBudget | undefined =>
  input ? { callCountMax: input.maxCalls ?? null, costMax: input.maxCost ?? null } : undefined;
