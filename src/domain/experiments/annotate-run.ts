import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { RunOfRevision } from '../../model/experiment.ts';
import { RUN_ANNOTATION_NAME_CHARS_MAX, RUN_ANNOTATION_TEXT_CHARS_MAX } from '../../model/limits/comparisons.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';

type Parts = Pick<Ports, 'experiments' | 'caller'>;

/** An annotation of the caller on a run. */
export interface GivenRunAnnotation {
  readonly runRowId: number;
  readonly name: string;
  readonly score: number | null;
  readonly label: string | null;
  readonly explanation: string | null;
}

/**
 * Stores the annotation of the caller, replacing theirs of the same name. Those of others and of evaluators stay.
 *
 * @throws {SpandrelError} `EXPERIMENT_RUN_NOT_FOUND`, `QUERY_INVALID`
 */
export async function annotateRun({ experiments, caller }: Parts, annotation: GivenRunAnnotation): Promise<void> {
  const { runRowId, score, label, explanation } = annotation;
  const name = checkName(annotation.name);
  if (score === null && !label && !explanation) reject('An annotation needs a score, a label or an explanation.');
  if (score !== null && !Number.isFinite(score)) reject(`The score must be a finite number, but is ${score}.`);
  checkLength('The label', label);
  checkLength('The explanation', explanation);
  const userId = authorOf(caller);
  if (!(await experiments.setRunAnnotation({ runRowId, name, score, label, explanation, userId })))
    runUnknown(runRowId);
}

/** Deletes the annotation of the caller. Idempotent. @throws {SpandrelError} `EXPERIMENT_RUN_NOT_FOUND` */
export async function deleteRunAnnotation(
  ports: Parts,
  { runRowId, name }: { readonly runRowId: number; readonly name: string },
): Promise<void> {
  await getRuns(ports, [runRowId]);
  await ports.experiments.deleteRunAnnotation({ runRowId, name: name.trim(), userId: authorOf(ports.caller) });
}

/** Which of two runs the caller prefers. */
export interface GivenPreference {
  readonly runRowIds: readonly number[];
  /** Null: neither is better. */
  readonly preferredRunRowId: number | null;
  readonly explanation: string | null;
}

/**
 * Stores the preference of the caller, replacing theirs between the same runs.
 *
 * @throws {SpandrelError} `EXPERIMENT_RUN_NOT_FOUND`; `QUERY_INVALID` unless two experiments ran the same example
 */
export async function preferRun(ports: Parts, { runRowIds, preferredRunRowId, explanation }: GivenPreference) {
  const [firstRowId, secondRowId] = toPair(runRowIds);
  if (preferredRunRowId !== null && !runRowIds.includes(preferredRunRowId)) {
    return reject('The preferred run must be one of the two runs.');
  }
  checkLength('The explanation', explanation);
  const [first, second] = (await getRuns(ports, [firstRowId, secondRowId])) as [RunOfRevision, RunOfRevision];
  if (first.exampleRowId !== second.exampleRowId) return reject('The two runs must be of the same example.');
  if (first.experimentRowId === second.experimentRowId) {
    return reject('The two runs must be of different experiments.');
  }
  await ports.experiments.setRunPreference({
    exampleRowId: first.exampleRowId,
    experimentRowIds: [first.experimentRowId, second.experimentRowId],
    runRowIds: [firstRowId, secondRowId],
    preferredRunRowId,
    explanation,
    userId: authorOf(ports.caller),
  });
}

/**
 * Deletes the preference of the caller between two runs. Idempotent.
 *
 * @throws {SpandrelError} `EXPERIMENT_RUN_NOT_FOUND`; `QUERY_INVALID` unless there are two runs
 */
export async function deleteRunPreference(ports: Parts, runRowIds: readonly number[]): Promise<void> {
  const pair = toPair(runRowIds);
  await getRuns(ports, pair);
  await ports.experiments.deleteRunPreference({ runRowIds: pair, userId: authorOf(ports.caller) });
}

/** Two runs in the order in which their preferences are stored. */
function toPair(runRowIds: readonly number[]): readonly [number, number] {
  const [first, second] = runRowIds.toSorted((a, b) => a - b);
  if (runRowIds.length !== 2 || first === undefined || second === undefined || first === second) {
    return reject(`A preference is between two runs, but received ${new Set(runRowIds).size}.`);
  }
  return [first, second];
}

async function getRuns({ experiments }: Parts, rowIds: readonly number[]): Promise<RunOfRevision[]> {
  const found = await experiments.findRunsByRowIds(rowIds);
  return rowIds.map((rowId) => found.get(rowId) ?? runUnknown(rowId));
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') return reject('The name of an annotation must not be empty.');
  if (trimmed.length > RUN_ANNOTATION_NAME_CHARS_MAX) {
    return reject(
      `The name of an annotation has at most ${RUN_ANNOTATION_NAME_CHARS_MAX} characters, but received ${trimmed.length}.`,
    );
  }
  return trimmed;
}

function checkLength(what: string, text: string | null): void {
  if (text === null || text.length <= RUN_ANNOTATION_TEXT_CHARS_MAX) return;
  reject(`${what} has at most ${RUN_ANNOTATION_TEXT_CHARS_MAX} characters, but received ${text.length}.`);
}

function reject(message: string): never {
  throw new SpandrelError('QUERY_INVALID', message);
}

function runUnknown(rowId: number): never {
  throw new RowError(
    'EXPERIMENT_RUN_NOT_FOUND',
    'ExperimentRun',
    [rowId],
    (id) => `ExperimentRun with ID ${id} does not exist`,
  );
}
