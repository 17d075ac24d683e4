import { randomUUID } from 'node:crypto';
import { expectPresent } from '../../base/expect-present.ts';
import {
  type AnnotationSource,
  type AnnotationTarget,
  NOTE_NAME,
  type TargetRef,
} from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';
import { storeNow } from './annotate.ts';
import { findTargetRows } from './find-target-rows.ts';

export interface NewNote {
  readonly target: Exclude<AnnotationTarget, 'document'>;
  /** The target by its row id, or by the ID that applications know. */
  readonly of: { readonly rowId: number } | TargetRef;
  readonly note: string;
  /** Empty to add a further note. Otherwise the note with this identifier is replaced. */
  readonly identifier: string;
  readonly source: AnnotationSource;
}

/**
 * Adds a note to a span, trace or session: an annotation whose explanation is the text. Every read sees it when the promise
 * resolves.
 *
 * @returns Row id of the note.
 * @throws {SpandrelError} `ANNOTATION_TARGET_NOT_FOUND`
 */
export async function addNote(ports: Pick<Ports, 'spans' | 'writes' | 'caller'>, request: NewNote): Promise<number> {
  const { target, of, note, source } = request;
  const [ref] = 'rowId' in of ? await findTargetRows(ports, target, [of.rowId]) : [of];
  const { targetId, traceId } = expectPresent(ref, 'a found row has a reference');
  const annotation = {
    targetId,
    ...(traceId !== undefined && { traceId }),
    documentPosition: null,
    name: NOTE_NAME,
    identifier: request.identifier || `px-${target}-note:${randomUUID()}`,
    annotatorKind: 'HUMAN',
    label: null,
    score: null,
    explanation: note,
    metadata: '{}',
  } as const;
  try {
    const [rowId] = await storeNow(ports, { target, annotations: [annotation], source });
    return expectPresent(rowId, 'a stored annotation has a row ID');
  } catch (error) {
    if (!(error instanceof SpandrelError) || error.code !== 'ANNOTATION_TARGET_NOT_FOUND') throw error;
    throw new SpandrelError(error.code, `${NOUNS[target]} ${targetId} not found`);
  }
}

const NOUNS = { span: 'Span with ID', trace: 'Trace with ID', session: 'Session with session_id' } as const;
