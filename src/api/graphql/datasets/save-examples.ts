import type { ExampleField } from '../../../model/example-rows.ts';
import { checkCellPath } from '../../../domain/datasets/examples/cell-path.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { datasetRef, datasetVersionRef, exampleRef, type Resolvers } from '../resolvers.ts';
import { changed } from './dataset-mutations.ts';

interface Input<Fields> {
  readonly input: Fields;
}
type Texts = Readonly<Record<ExampleField, string>>;
type NullableTexts = { readonly [Field in ExampleField]?: string | null };

interface SaveInput {
  readonly datasetId: string;
  readonly patches?:
    | readonly (NullableTexts & { readonly exampleId: string; readonly revisionId?: string | null })[]
    | null;
  readonly values?:
    | readonly { readonly exampleIds: readonly string[]; readonly path: readonly string[]; readonly value: string }[]
    | null;
  readonly deletions?: readonly { readonly exampleId: string; readonly revisionId?: string | null }[] | null;
  readonly additions?: readonly (Texts & { readonly externalId?: string | null })[] | null;
  readonly versionDescription?: string | null;
}

export const saveExamplesMutations: Resolvers = {
  async saveDatasetExamples(_source, { input }: Input<SaveInput>, context: GraphqlContext) {
    const rowId = rowIdOfNode('Dataset', input.datasetId);
    const saved = await context.domain.datasets.saveExamples(
      rowId,
      {
        patches: (input.patches ?? []).map((patch) => ({ ...toTarget(patch), fields: toTexts(patch) })),
        values: (input.values ?? []).map(({ exampleIds, path, value }) => ({
          rowIds: rowIdsOfNodes('DatasetExample', exampleIds),
          path: checkCellPath(path),
          value,
        })),
        deleted: (input.deletions ?? []).map(toTarget),
        added: (input.additions ?? []).map((added) => ({ ...added, externalId: added.externalId || null })),
      },
      { description: input.versionDescription?.trim() || null },
    );
    context.invalidateReads();
    return {
      dataset: datasetRef(rowId),
      version: 'versionRowId' in saved ? datasetVersionRef(saved.versionRowId) : null,
      conflicts: saved.conflicts.map(({ rowId: exampleRowId, content, versionRowId }) => ({
        example: exampleRef(exampleRowId),
        content: content ? { ...content, revisionId: String(content.revisionRowId) } : null,
        version: versionRowId === 0 ? null : datasetVersionRef(versionRowId),
      })),
    };
  },
  async changeDatasetExampleSplits(
    _source,
    {
      input,
    }: Input<{
      readonly datasetId: string;
      readonly exampleIds: readonly string[];
      readonly addedSplitIds: readonly string[];
      readonly removedSplitIds: readonly string[];
    }>,
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('Dataset', input.datasetId);
    await context.domain.datasets.changeSplitsOfExamples(rowId, rowIdsOfNodes('DatasetExample', input.exampleIds), {
      added: rowIdsOfNodes('DatasetSplit', input.addedSplitIds),
      removed: rowIdsOfNodes('DatasetSplit', input.removedSplitIds),
    });
    return changed(rowId, context);
  },
};

const toTarget = ({ exampleId, revisionId }: { readonly exampleId: string; readonly revisionId?: string | null }) => ({
  rowId: rowIdOfNode('DatasetExample', exampleId),
  revisionRowId: revisionId == null ? undefined : toRevisionRowId(revisionId),
});

function toRevisionRowId(revisionId: string): number {
  if (!/^\d{1,15}$/.test(revisionId)) reject(`Invalid revisionId: ${revisionId.slice(0, 100)}`);
  return Number(revisionId);
}

/** Null and an absent field keep the stored value. */
const toTexts = ({ input, output, metadata }: NullableTexts): Partial<Texts> => ({
  ...(input != null && { input }),
  ...(output != null && { output }),
  ...(metadata != null && { metadata }),
});
