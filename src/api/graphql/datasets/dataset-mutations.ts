import { toExactJsonText } from '../../../base/exact-json.ts';
import { checkJsonObject } from '../../../domain/datasets/json-object.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { datasetRef, type Resolvers } from '../resolvers.ts';

interface DatasetFields {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly metadata?: unknown;
}
interface Input<Fields> {
  readonly input: Fields;
}

export const datasetMutations: Resolvers = {
  async createDataset(_source, { input }: Input<DatasetFields & { readonly name: string }>, context: GraphqlContext) {
    const { name, description = null } = input;
    const metadata = toMetadataText(input.metadata) ?? '{}';
    return changed(await context.domain.datasets.create({ name, description, metadata }), context);
  },
  async patchDataset(
    _source,
    { input }: Input<DatasetFields & { readonly datasetId: string }>,
    context: GraphqlContext,
  ) {
    const { name, description } = input;
    const rowId = rowIdOfNode('Dataset', input.datasetId);
    const metadata = toMetadataText(input.metadata);
    await context.domain.datasets.update(rowId, {
      ...(typeof name === 'string' && { name }),
      ...(description !== undefined && { description }),
      ...(metadata !== undefined && { metadata }),
    });
    return changed(rowId, context);
  },
  async deleteDataset(_source, { input }: Input<{ readonly datasetId: string }>, context: GraphqlContext) {
    const rowId = rowIdOfNode('Dataset', input.datasetId);
    const dataset = await context.domain.datasets.delete(rowId, { withProjects: true });
    const payload = changed(rowId, context);
    context.loaders.datasets.prime(rowId, dataset);
    return payload;
  },
};

const toMetadataText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : toExactJsonText(checkJsonObject('metadata', value));

/** The payload of a change to a dataset. */
export function changed(rowId: number, context: GraphqlContext): object {
  context.invalidateReads();
  return { dataset: datasetRef(rowId) };
}
