import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { ExperimentNote } from '../../model/experiment.ts';
import { EXPERIMENT_NOTE_CHARS_MAX, EXPERIMENT_NOTE_COUNT_MAX } from '../../model/limits/datasets.ts';
import { RowError } from '../../model/row-error.ts';
import { onlyAuthor } from '../annotations/check-author.ts';
import type { Ports } from '../ports.ts';
import { experimentUnknown } from './get-experiment.ts';

type Parts = Pick<Ports, 'experiments' | 'caller'>;

/** Adds a note of the caller. @throws {SpandrelError} `EXPERIMENT_NOT_FOUND`, `QUERY_INVALID` */
export async function addNote({ experiments, caller }: Parts, experimentRowId: number, text: string) {
  const checked = checkText(text);
  const notes = (await experiments.findNotesOfExperiments([experimentRowId])).get(experimentRowId) ?? [];
  if (notes.length >= EXPERIMENT_NOTE_COUNT_MAX) {
    throw new SpandrelError('QUERY_INVALID', `The experiment already has ${notes.length} notes, the maximum`);
  }
  const note = await experiments.addNote({ experimentRowId, text: checked, userId: authorOf(caller) });
  return note ?? experimentUnknown(experimentRowId);
}

/** Only its author changes a note. @throws {SpandrelError} `EXPERIMENT_NOTE_NOT_FOUND`, `ACCESS_DENIED`, `QUERY_INVALID` */
export async function editNote(ports: Parts, rowId: number, text: string): Promise<ExperimentNote> {
  const checked = checkText(text);
  await checkNoteAuthor(ports, rowId, { orAdmin: false });
  return (await ports.experiments.updateNote(rowId, checked)) ?? noteUnknown(rowId);
}

/** Its author and administrators delete a note. @throws {SpandrelError} `EXPERIMENT_NOTE_NOT_FOUND`, `ACCESS_DENIED` */
export async function deleteNote(ports: Parts, rowId: number): Promise<ExperimentNote> {
  await checkNoteAuthor(ports, rowId, { orAdmin: true });
  return (await ports.experiments.deleteNote(rowId)) ?? noteUnknown(rowId);
}

async function checkNoteAuthor(
  { experiments, caller }: Parts,
  rowId: number,
  options: { readonly orAdmin: boolean },
): Promise<void> {
  const note = (await experiments.findNotes([rowId])).get(rowId) ?? noteUnknown(rowId);
  const author = onlyAuthor(caller, options);
  if (author === undefined || note.userId === author) return;
  throw new SpandrelError('ACCESS_DENIED', 'The note was written by another user.');
}

function checkText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new SpandrelError('QUERY_INVALID', 'A note needs a text');
  if (trimmed.length <= EXPERIMENT_NOTE_CHARS_MAX) return trimmed;
  throw new SpandrelError(
    'QUERY_INVALID',
    `A note has at most ${EXPERIMENT_NOTE_CHARS_MAX} characters, received ${trimmed.length}`,
  );
}

function noteUnknown(rowId: number): never {
  throw new RowError(
    'EXPERIMENT_NOTE_NOT_FOUND',
    'ExperimentNote',
    [rowId],
    (id) => `ExperimentNote with ID ${id} not found`,
  );
}
