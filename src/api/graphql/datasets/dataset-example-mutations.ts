import { toExactJsonText } from '../../../base/exact-json.ts';
import type { VersionNote } from '../../../model/dataset.ts';
import { checkJsonObject } from '../../../domain/datasets/json-object.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import type { Resolvers } from '../resolvers.ts';
import { changed } from './dataset-mutations.ts';

interface Input<Fields> {
  readonly input: Fields;
}
interface NoteInput {
  readonly datasetVersionDescription?: string | null;
  readonly datasetVersionMetadata?: unknown;
}
interface ExampleInput {
  readonly input: unknown;
  readonly output: unknown;
  readonly metadata: unknown;
  readonly spanId?: string | null;
  readonly externalId?: string | null;
}
interface PatchInput {
  readonly exampleId: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly metadata?: unknown;
}

export const exampleMutations: Resolvers = {
  async addSpansToDataset(
    _source,
    { input }: Input<NoteInput & { readonly datasetId: string; readonly spanIds: readonly string[] }>,
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('Dataset', input.datasetId);
    await context.domain.datasets.addSpans(rowId, rowIdsOfNodes('Span', input.spanIds), toNote(input), userIdText);
    return changed(rowId, context);
  },
  async addExamplesToDataset(
    _source,
    { input }: Input<NoteInput & { readonly datasetId: string; readonly examples: readonly ExampleInput[] }>,
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('Dataset', input.datasetId);
    const examples = input.examples.map((example) => ({
      input: checkJsonObject('input', example.input),
      output: checkJsonObject('output', example.output),
      metadata: checkJsonObject('metadata', example.metadata),
      spanRowId: example.spanId ? rowIdOfNode('Span', example.spanId) : null,
      externalId: example.externalId || null,
    }));
    await context.domain.datasets.addExamples(rowId, examples, toNote(input), userIdText);
    return changed(rowId, context);
  },
  async patchDatasetExamples(
    _source,
    {
      input,
    }: Input<{
      readonly patches: readonly PatchInput[];
      readonly versionDescription?: string | null;
      readonly versionMetadata?: unknown;
      readonly datasetId?: string | null;
    }>,
    context: GraphqlContext,
  ) {
    const note = toNote({
      datasetVersionDescription: input.versionDescription ?? null,
      datasetVersionMetadata: input.versionMetadata,
    });
    return changed(
      await context.domain.datasets.patchExamples(input.patches.map(toPatch), datasetOf(input), note),
      context,
    );
  },
  async deleteDatasetExamples(
    _source,
    { input }: Input<NoteInput & { readonly exampleIds: readonly string[]; readonly datasetId?: string | null }>,
    context: GraphqlContext,
  ) {
    const rowIds = rowIdsOfNodes('DatasetExample', input.exampleIds);
    return changed(await context.domain.datasets.deleteExamples(rowIds, datasetOf(input), toNote(input)), context);
  },
};

const userIdText = (userRowId: number): string => toGlobalId('User', userRowId);

const datasetOf = ({ datasetId }: { readonly datasetId?: string | null }): number | undefined =>
  datasetId ? rowIdOfNode('Dataset', datasetId) : undefined;

/** Null and an absent field keep the stored value. */
const toPatch = ({ exampleId, input, output, metadata }: PatchInput) => ({
  rowId: rowIdOfNode('DatasetExample', exampleId),
  ...(input != null && { input: checkJsonObject('input', input) }),
  ...(output != null && { output: checkJsonObject('output', output) }),
  ...(metadata != null && { metadata: checkJsonObject('metadata', metadata) }),
});

const toNote = ({ datasetVersionDescription, datasetVersionMetadata }: NoteInput): VersionNote => ({
  description: datasetVersionDescription ?? null,
  ...(datasetVersionMetadata != null && {
    metadata: toExactJsonText(checkJsonObject('metadata of the version', datasetVersionMetadata)),
  }),
});
