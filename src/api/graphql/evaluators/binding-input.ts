import { checkMapping } from '../../../domain/evaluators/input-mapping.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { type ConfigInput, toNewConfig } from '../annotations/annotation-config-input.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { datasetEvaluatorRef, QUERY } from '../resolvers.ts';

export interface MappingInput {
  readonly literalMapping: unknown;
  readonly pathMapping: unknown;
}

/** Description of the project that stores the traces of a binding. */
export const toProjectDescription = ({
  datasetId,
  name,
}: {
  readonly datasetId: string;
  readonly name: string;
}): string => `dataset_id: ${toGlobalId('Dataset', rowIdOfNode('Dataset', datasetId))}\nevaluator: ${name}`;

export const toDescription = (description: string | null | undefined): string | null | undefined =>
  description === undefined ? undefined : description?.trim() || null;

/** An empty list means the configs of the evaluator. */
export const toOverrides = (configs: readonly ConfigInput[] | null | undefined) =>
  configs === undefined ? undefined : configs?.length ? configs.map(toNewConfig) : null;

/** What binds a stored evaluator to a dataset. */
export interface NewBindingInput {
  readonly datasetId: string;
  readonly evaluatorId: string;
  readonly name: string;
  readonly description?: string | null;
  readonly inputMapping?: MappingInput | null;
  readonly outputConfigs?: readonly ConfigInput[] | null;
}

/** Absent fields keep their value. A description or configs that are null are replaced by those of the evaluator. */
export interface BindingChangesInput extends Omit<NewBindingInput, 'datasetId' | 'evaluatorId'> {
  readonly datasetEvaluatorId: string;
}

export const toNewBinding = (input: NewBindingInput, evaluatorType: 'BuiltInEvaluator' | 'CodeEvaluator') => ({
  datasetRowId: rowIdOfNode('Dataset', input.datasetId),
  evaluatorRowId: rowIdOfNode(evaluatorType, input.evaluatorId),
  name: input.name,
  description: toDescription(input.description) ?? null,
  projectDescription: toProjectDescription(input),
  outputConfigs: toOverrides(input.outputConfigs) ?? null,
});

export const toBindingChanges = (input: BindingChangesInput) => ({
  name: input.name,
  description: toDescription(input.description),
  inputMapping: input.inputMapping ? checkMapping(input.inputMapping) : undefined,
  outputConfigs: toOverrides(input.outputConfigs),
});

export function bindingPayload(rowId: number, context: GraphqlContext): object {
  context.invalidateReads();
  return { evaluator: datasetEvaluatorRef(rowId), query: QUERY };
}
