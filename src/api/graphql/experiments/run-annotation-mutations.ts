import { type ErrorTexts, withTexts } from '../../contract/error-texts.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { type Resolvers, runRef } from '../resolvers.ts';

const ABSENT: ErrorTexts = { EXPERIMENT_RUN_NOT_FOUND: ({ ids }) => `ExperimentRun with ID ${ids} not found` };

interface AnnotateInput {
  readonly runId: string;
  readonly name: string;
  readonly score?: number | null;
  readonly label?: string | null;
  readonly explanation?: string | null;
}

interface PreferInput {
  readonly runIds: readonly string[];
  readonly preferredRunId?: string | null;
  readonly explanation?: string | null;
}

export const runAnnotationMutations: Resolvers = {
  async annotateExperimentRun(_source, { input }: { readonly input: AnnotateInput }, context: GraphqlContext) {
    const { name, score = null, label = null, explanation = null } = input;
    const runRowId = rowIdOfNode('ExperimentRun', input.runId);
    await withTexts(ABSENT, () =>
      context.domain.experiments.annotateRun({ runRowId, name, score, label, explanation }),
    );
    context.invalidateReads();
    return runRef(runRowId);
  },
  async deleteExperimentRunAnnotation(
    _source,
    { runId, name }: { readonly runId: string; readonly name: string },
    context: GraphqlContext,
  ) {
    const runRowId = rowIdOfNode('ExperimentRun', runId);
    await withTexts(ABSENT, () => context.domain.experiments.deleteRunAnnotation({ runRowId, name }));
    context.invalidateReads();
    return runRef(runRowId);
  },
  async preferExperimentRun(_source, { input }: { readonly input: PreferInput }, context: GraphqlContext) {
    const { preferredRunId = null, explanation = null } = input;
    const runRowIds = rowIdsOfNodes('ExperimentRun', input.runIds);
    const preferredRunRowId = preferredRunId === null ? null : rowIdOfNode('ExperimentRun', preferredRunId);
    await withTexts(ABSENT, () => context.domain.experiments.preferRun({ runRowIds, preferredRunRowId, explanation }));
    context.invalidateReads();
    return { runs: runRowIds.map(runRef), preferredRunId };
  },
  async deleteExperimentRunPreference(
    _source,
    { runIds }: { readonly runIds: readonly string[] },
    context: GraphqlContext,
  ) {
    const runRowIds = rowIdsOfNodes('ExperimentRun', runIds);
    await withTexts(ABSENT, () => context.domain.experiments.deleteRunPreference(runRowIds));
    context.invalidateReads();
    return { runs: runRowIds.map(runRef) };
  },
};
