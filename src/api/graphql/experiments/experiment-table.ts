import { toExactJsonText } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { ExperimentErrorGroup, ExperimentNote } from '../../../model/experiment.ts';
import { readStoredObject } from '../../../domain/datasets/json-object.ts';
import { type ErrorTexts, withTexts } from '../../contract/error-texts.ts';
import { rowIdOf, toGlobalId } from '../../contract/global-id.ts';
import { authorRef } from '../access/user.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { rowIdOfNode } from '../node.ts';
import { experimentRef, experimentTagRef, fromRow, type NodeRef, type Resolvers, traceRef } from '../resolvers.ts';

const row = fromRow(({ experiments }) => experiments);

/** Fields of an experiment that the table of experiments and the page of one show. */
export const tableOfExperiment: Resolvers = {
  metadataValue: row<{ readonly key: string }>(({ metadata }, _context, { key }) => {
    const object = readStoredObject(metadata);
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value == null) return null;
    return typeof value === 'string' ? value : toExactJsonText(value);
  }),
  tags: ({ rowId }: NodeRef, _args: unknown, { loaders, items }) =>
    whenKnown(loaders.tagsOfExperiments.load(rowId), (tags = []) => {
      items.take(tags.length);
      for (const tag of tags) loaders.experimentTags.prime(tag.rowId, tag);
      return tags.map((tag) => experimentTagRef(tag.rowId));
    }),
  notes: ({ rowId }: NodeRef, _args: unknown, { loaders, items }) =>
    whenKnown(loaders.notesOfExperiments.load(rowId), (notes = []) => {
      items.take(notes.length);
      return notes;
    }),
  async errorGroups({ rowId }: NodeRef, _args: unknown, { domain, items }: GraphqlContext) {
    const groups = await domain.experiments.listErrors(rowId);
    items.take(groups.length);
    return groups;
  },
};

export const experimentErrorResolvers: Resolvers = {
  async trace({ traceId }: ExperimentErrorGroup, _args: unknown, { loaders }: GraphqlContext) {
    const rowId = traceId === null ? undefined : await loaders.traceRowIds.load(traceId);
    return rowId === undefined ? null : traceRef(rowId);
  },
};

export const experimentNoteResolvers: Resolvers = {
  id: ({ rowId }: ExperimentNote) => toGlobalId('ExperimentNote', rowId),
  user: (note: ExperimentNote, _args: unknown, context: GraphqlContext) => authorRef(note, context),
};

/** Fields of a dataset for the table of its experiments. */
export const experimentTableOfDataset: Resolvers = {
  experimentMetadataKeys: ({ rowId }: NodeRef, _args: unknown, { domain }: GraphqlContext) =>
    domain.experiments.listMetadataKeys(rowId),
  async experimentGroups({ rowId }: NodeRef, { key }: { readonly key: string }, { domain, items }: GraphqlContext) {
    const groups = await domain.experiments.groupByMetadata({ datasetRowId: rowId, key });
    items.take(groups.length);
    return groups.map(({ averageLatencyMs, scores, ...group }) => ({
      ...group,
      averageRunLatencyMs: averageLatencyMs,
      scores: scores.map(({ name, meanScore }) => ({ annotationName: name, meanScore })),
    }));
  },
};

const ABSENT: ErrorTexts = { EXPERIMENT_NOT_FOUND: ({ ids }) => `Experiment with ID ${ids} not found` };

interface Tagging {
  readonly experimentId: string;
  readonly name: string;
}

export const experimentNoteMutations: Resolvers = {
  async addExperimentNote(
    _source,
    { experimentId, text }: { readonly experimentId: string; readonly text: string },
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('Experiment', experimentId);
    return settle(
      context,
      withTexts(ABSENT, () => context.domain.experiments.addNote(rowId, text)),
    );
  },
  patchExperimentNote: (
    _source,
    { id, text }: { readonly id: string; readonly text: string },
    context: GraphqlContext,
  ) => settle(context, context.domain.experiments.editNote(noteRowId(id), text)),
  deleteExperimentNote: (_source, { id }: { readonly id: string }, context: GraphqlContext) =>
    settle(context, context.domain.experiments.deleteNote(noteRowId(id))),
  async tagExperiment(_source, { experimentId, name }: Tagging, context: GraphqlContext) {
    const rowId = rowIdOfNode('Experiment', experimentId);
    await withTexts(ABSENT, () => context.domain.experiments.tag(rowId, { name, description: null }));
    context.invalidateReads();
    return experimentRef(rowId);
  },
  async untagExperiment(_source, { experimentId, name }: Tagging, context: GraphqlContext) {
    const rowId = rowIdOfNode('Experiment', experimentId);
    await withTexts(ABSENT, () => context.domain.experiments.untag(rowId, name));
    context.invalidateReads();
    return experimentRef(rowId);
  },
};

async function settle(context: GraphqlContext, change: Promise<ExperimentNote>): Promise<ExperimentNote> {
  const note = await change;
  context.invalidateReads();
  return note;
}

function noteRowId(id: string): number {
  const rowId = rowIdOf('ExperimentNote', id);
  if (rowId === undefined) throw new SpandrelError('QUERY_INVALID', 'This is not the ID of a note on an experiment');
  return rowId;
}
