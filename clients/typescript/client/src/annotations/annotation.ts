import { ArgumentError } from '../http/errors.ts';

/** Who made an annotation. */
export type AnnotatorKind = 'HUMAN' | 'LLM' | 'CODE';

/** What an annotation says. At least one of label, score and explanation is needed. */
export interface AnnotationContent {
  readonly name: string;
  readonly label?: string | null;
  readonly score?: number | null;
  readonly explanation?: string | null;
  /** Default `HUMAN`. */
  readonly annotatorKind?: AnnotatorKind;
  /** Annotations of one name and one target with different identifiers do not replace each other. */
  readonly identifier?: string;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

/** Name of notes, which have functions of their own. */
const NOTE_NAME = 'note';

/**
 * The body of an annotation without its target. Blank texts count as absent.
 *
 * @throws {ArgumentError} without a name, for a name of notes, or when it says nothing
 */
export function toAnnotationBody({
  name,
  label,
  score,
  explanation,
  annotatorKind = 'HUMAN',
  identifier,
  metadata,
}: AnnotationContent) {
  const trimmed = name.trim();
  if (!trimmed) throw new ArgumentError('An annotation needs a name.');
  if (trimmed === NOTE_NAME)
    throw new ArgumentError(
      'The annotation name "note" is that of notes: use addSpanNote, addTraceNote or addSessionNote.',
    );
  if (score != null && !Number.isFinite(score))
    throw new ArgumentError(`The score of ${trimmed} must be a finite number, and is ${score}.`);
  const result = { label: label?.trim() || null, score: score ?? null, explanation: explanation?.trim() || null };
  if (result.label === null && result.score === null && result.explanation === null) {
    throw new ArgumentError(`The annotation ${trimmed} needs a label, a score or an explanation.`);
  }
  return {
    name: trimmed,
    annotator_kind: annotatorKind,
    result,
    ...(metadata && { metadata }),
    ...(identifier && { identifier }),
  };
}

/** @throws {ArgumentError} when a note is blank */
export function toNote({ note, identifier }: { readonly note: string; readonly identifier?: string | undefined }) {
  if (!note.trim()) throw new ArgumentError('A note must not be blank.');
  return { note: note.trim(), ...(identifier && { identifier }) };
}

/** @throws {ArgumentError} when a required text is missing */
export function requireText(value: string | undefined, what: string): string {
  if (typeof value !== 'string' || !value.trim()) throw new ArgumentError(`${what} is missing.`);
  return value;
}

/** Items per request of functions that log many. */
const BATCH_ITEM_COUNT = 1_000;

/**
 * Sends many items in requests of 1,000, in order.
 *
 * @returns what the requests return, in order
 */
export async function sendInBatches<Item, Result>(
  items: readonly Item[],
  what: string,
  sendBatch: (batch: Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  if (items.length === 0) throw new ArgumentError(`There are no ${what} to send.`);
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += BATCH_ITEM_COUNT) {
    results.push(...(await sendBatch(items.slice(start, start + BATCH_ITEM_COUNT))));
  }
  return results;
}

/** The time of a query or body. @throws {ArgumentError} for an invalid date */
export function toTimeText(time: Date | string | undefined | null, what: string): string | undefined {
  if (time === undefined || time === null) return undefined;
  if (typeof time === 'string') return time;
  if (Number.isNaN(time.getTime())) throw new ArgumentError(`${what} is no valid date.`);
  return time.toISOString();
}

/** A list of one, or the list itself. */
export const toList = <Item>(value: Item | readonly Item[] | undefined | null): Item[] | undefined => {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? [...value] : [value as Item];
};
