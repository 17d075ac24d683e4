import type { CalibratedTarget, LabelSource } from '../../../model/evaluators/calibration.ts';
import { checkMapping } from '../../../domain/evaluators/input-mapping.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { type CredentialInput, toCredentials } from '../playground/connection-input.ts';
import { onlyField } from '../prompts/prompt-input.ts';
import { calibrationRef, QUERY, type Resolvers } from '../resolvers.ts';
import { toMeasures } from './calibration.ts';

interface StartInput {
  readonly datasetEvaluatorId: string;
  readonly promptVersionId?: string | null;
  readonly inputMapping?: { readonly literalMapping: unknown; readonly pathMapping: unknown } | null;
  readonly outputName?: string | null;
  readonly annotationName?: string | null;
  readonly source: Readonly<Record<string, unknown>>;
  readonly heldOutShare: number;
  readonly concurrency: number;
  readonly maxTargets?: number | null;
  readonly credentials?: readonly CredentialInput[] | null;
}

export const calibrationQueries: Resolvers = {
  calibrationLabels: (
    _source,
    { source, annotationName, heldOutShare }: Pick<StartInput, 'source' | 'heldOutShare'> & { annotationName: string },
    { domain }: GraphqlContext,
  ) => domain.calibrations.summarizeLabels(toSource(source), annotationName, heldOutShare),
  async compareCalibrations(
    _source,
    { calibrationIds }: { readonly calibrationIds: readonly string[] },
    { domain }: GraphqlContext,
  ) {
    const compared = await domain.calibrations.compare(rowIdsOfNodes('Calibration', calibrationIds));
    const columns = compared.columns.map(({ rowId, report, fixedCount, brokenCount }) => ({
      calibration: calibrationRef(rowId),
      ...{ all: toMeasures(report.all), tuning: toMeasures(report.tuning), heldOut: toMeasures(report.heldOut) },
      ...{ fixedCount, brokenCount },
    }));
    return { commonCount: compared.commonCount, columns };
  },
};

export const calibrationMutations: Resolvers = {
  async startCalibration(_source, { input }: { readonly input: StartInput }, context: GraphqlContext) {
    const { promptVersionId, inputMapping, outputName, annotationName, maxTargets } = input;
    const rowId = await context.domain.calibrations.start({
      datasetEvaluatorRowId: rowIdOfNode('DatasetEvaluator', input.datasetEvaluatorId),
      promptVersionRowId: promptVersionId ? rowIdOfNode('PromptVersion', promptVersionId) : undefined,
      inputMapping: inputMapping ? checkMapping(inputMapping) : undefined,
      outputName: outputName ?? undefined,
      annotationName: annotationName ?? undefined,
      source: toSource(input.source),
      heldOutShare: input.heldOutShare,
      concurrency: input.concurrency,
      itemCountMax: maxTargets ?? undefined,
      credentials: toCredentials(input.credentials),
    });
    return payload(rowId, context);
  },
  async resumeCalibration(
    _source,
    { input }: { readonly input: { readonly calibrationId: string } & Pick<StartInput, 'credentials'> },
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('Calibration', input.calibrationId);
    await context.domain.calibrations.resume(rowId, toCredentials(input.credentials));
    return payload(rowId, context);
  },
  async stopCalibration(_source, { calibrationId }: { readonly calibrationId: string }, context: GraphqlContext) {
    const rowId = rowIdOfNode('Calibration', calibrationId);
    await context.domain.calibrations.stop(rowId);
    return payload(rowId, context);
  },
  async deleteCalibration(_source, { calibrationId }: { readonly calibrationId: string }, context: GraphqlContext) {
    await context.domain.calibrations.delete(rowIdOfNode('Calibration', calibrationId));
    context.invalidateReads();
    return { calibrationId, query: QUERY };
  },
};

function toSource(input: StartInput['source']): LabelSource {
  const [kind, value] = onlyField(input, 'CalibrationSourceInput');
  if (kind === 'datasetId')
    return { type: 'dataset', datasetRowId: rowIdOfNode('Dataset', value as unknown as string) };
  const { projectId, target } = value as { readonly projectId: string; readonly target: string };
  return {
    type: 'project',
    projectRowId: rowIdOfNode('Project', projectId),
    target: target.toLowerCase() as CalibratedTarget,
  };
}

function payload(rowId: number, context: GraphqlContext): object {
  context.invalidateReads();
  return { calibration: calibrationRef(rowId), query: QUERY };
}
