import type { ExampleRevision } from '../../../model/dataset.ts';
import { readStoredObject } from '../../../domain/datasets/json-object.ts';
import { toAnnotationsJson, toSpanExample } from '../../../domain/datasets/span-example.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { rowIdOfNode } from '../node.ts';
import {
  datasetRef,
  type ExampleRef,
  fromRow,
  id,
  missing,
  type NodeRef,
  type Resolvers,
  spanRef,
} from '../resolvers.ts';
import { toSplitRef } from './dataset-group.ts';
import { revisionKey } from './dataset-loaders.ts';

const row = fromRow(({ examples }) => examples);

export const exampleResolvers: Resolvers = {
  id,
  createdAt: row(({ createdAt }) => createdAt),
  externalId: row(({ externalId }) => externalId),
  dataset: row(({ datasetRowId }) => datasetRef(datasetRowId)),
  revision: readRevision,
  content: readContent,
  hasSource: row(({ spanRowId }) => spanRowId !== null),
  // The span may have been deleted.
  span: row(
    ({ spanRowId }, { loaders }) =>
      spanRowId && whenKnown(loaders.spans.load(spanRowId), (span) => span && spanRef(spanRowId)),
  ),
  datasetSplits: ({ rowId }: ExampleRef, _args: unknown, { loaders, items }) =>
    whenKnown(loaders.splitsOfExamples.load(rowId), (splits = []) => {
      items.take(splits.length);
      return splits.map((split) => toSplitRef(split, loaders));
    }),
};

/** Content as texts, so that numbers keep their digits. Null if the version does not have the example. */
function readContent(
  { rowId }: ExampleRef,
  { datasetVersionId }: { readonly datasetVersionId?: string | null },
  { loaders }: GraphqlContext,
): unknown {
  const version = datasetVersionId ? rowIdOfNode('DatasetVersion', datasetVersionId) : undefined;
  return whenKnown(loaders.revisionsOfExamples.load(revisionKey(rowId, version)), (revision) =>
    revision === undefined || revision.kind === 'DELETE'
      ? null
      : { ...revision, revisionId: String(revision.rowId), updatedAt: revision.createdAt },
  );
}

/** The revision at the requested version, else at that of the list that contains the example, else the current one. */
function readRevision(
  example: ExampleRef,
  { datasetVersionId }: { readonly datasetVersionId?: string | null },
  { loaders }: GraphqlContext,
): unknown {
  const { rowId, revisionRowId } = example;
  const toJson = (revision: ExampleRevision | undefined) => toRevision(revision ?? missing(example));
  if (datasetVersionId) {
    const versionRowId = rowIdOfNode('DatasetVersion', datasetVersionId);
    return whenKnown(loaders.revisionsOfExamples.load(revisionKey(rowId, versionRowId)), toJson);
  }
  if (revisionRowId !== undefined) return whenKnown(loaders.exampleRevisions.load(revisionRowId), toJson);
  return whenKnown(loaders.revisionsOfExamples.load(revisionKey(rowId)), toJson);
}

const toRevision = ({ input, output, metadata, kind, createdAt }: ExampleRevision): object => ({
  __typename: 'DatasetExampleRevision',
  input: readStoredObject(input),
  output: readStoredObject(output),
  metadata: readStoredObject(metadata),
  revisionKind: kind,
  createdAt,
});

/** Fields of a span that concern datasets. */
export const spanExampleResolvers: Resolvers = {
  containedInDataset: ({ rowId }: NodeRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.spansInDatasets.load(rowId), (isContained) => isContained === true),
  async asExampleRevision(node: NodeRef, _args: unknown, { loaders }) {
    const [span, body, annotations = []] = await Promise.all([
      loaders.spans.load(node.rowId),
      loaders.spanBodies.load(node.rowId),
      loaders.annotationsOf.span.load(node.rowId),
    ]);
    if (!span || !body) return missing(node);
    const shown = annotations.length > 0 ? toAnnotationsJson(annotations) : undefined;
    return { __typename: 'SpanAsExampleRevision', ...toSpanExample(span, body, shown) };
  },
};
