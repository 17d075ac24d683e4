import { createHash } from 'node:crypto';
import { EvaluationError } from '../../errors.ts';
import type { EvaluatorBase } from '../../evaluators/evaluator-base.ts';
import type { RowEvaluation } from '../evaluated-row.ts';
import type { AppendFile } from './append-file.ts';
import { type LineReader, readPositions } from './line-positions.ts';
import { closeLockedFile, openLockedFile } from './locked-file.ts';

const FORMAT = 'spandrel-evaluation-checkpoint';
const VERSION = 1;

interface Header {
  readonly format: string;
  readonly version: number;
  /** Name → fingerprint. */
  readonly evaluators: Readonly<Record<string, string>>;
  /** Absent for the first one. */
  readonly repetition?: number;
}

interface Entry {
  readonly row: number;
  /** Of the content of the row. */
  readonly hash: string;
  readonly evaluator: string;
  readonly evaluation: RowEvaluation;
}

/**
 * Results of a run by row and evaluator, in a file of lines. A result counts when it is in the file, so a killed run goes on
 * with the rows that were not finished. Failed rows are evaluated again by the next run.
 */
export class Checkpoint {
  readonly #file: AppendFile;
  readonly #reader: LineReader;
  readonly #names: readonly string[];
  readonly #release: () => void;
  /** By row × evaluators + evaluator; a size of 0 means that there is no result. */
  #offsets = new Float64Array(0);
  #sizes = new Uint32Array(0);

  private constructor(file: AppendFile, reader: LineReader, names: readonly string[], release: () => void) {
    this.#file = file;
    this.#reader = reader;
    this.#names = names;
    this.#release = release;
  }

  /** @throws {EvaluationError} when the file is of other evaluators or of another kind */
  static async open(path: string, evaluators: readonly EvaluatorBase<never>[], repetition = 0): Promise<Checkpoint> {
    const names = evaluators.map(({ name }) => name);
    const header: Header = {
      format: FORMAT,
      version: VERSION,
      evaluators: Object.fromEntries(evaluators.map((evaluator) => [evaluator.name, fingerprint(evaluator)])),
      ...(repetition !== 0 && { repetition }),
    };
    const { file, reader, release } = await openLockedFile(path);
    const checkpoint = new Checkpoint(file, reader, names, release);
    try {
      await checkpoint.#load(path, header);
      return checkpoint;
    } catch (error) {
      await checkpoint.close();
      throw error;
    }
  }

  async #load(path: string, header: Header): Promise<void> {
    let number = 0;
    for await (const { line, offset, byteCount } of readPositions(path)) {
      if (++number === 1) checkHeader(path, line, header);
      else this.#remember(readEntry(path, line, number), offset, byteCount);
    }
    if (number === 0) await this.#file.append(JSON.stringify(header));
  }

  #remember({ row, evaluator, evaluation }: Entry, offset: number, byteCount: number): void {
    const column = this.#names.indexOf(evaluator);
    if (column < 0) return;
    const slot = row * this.#names.length + column;
    this.#growTo(slot + 1);
    this.#offsets[slot] = offset;
    this.#sizes[slot] = evaluation.status === 'FAILED' ? 0 : byteCount;
  }

  #growTo(length: number): void {
    if (length <= this.#sizes.length) return;
    const capacity = Math.max(length, this.#sizes.length * 2, 1_024);
    const [offsets, sizes] = [new Float64Array(capacity), new Uint32Array(capacity)];
    offsets.set(this.#offsets);
    sizes.set(this.#sizes);
    [this.#offsets, this.#sizes] = [offsets, sizes];
  }

  /** The result of an earlier run. @throws {EvaluationError} when the row has changed since */
  find(row: number, evaluator: string, hash: string): RowEvaluation | undefined {
    const slot = row * this.#names.length + this.#names.indexOf(evaluator);
    const size = this.#sizes[slot] ?? 0;
    if (size === 0) return undefined;
    const path = this.#file.path;
    const entry = readEntry(path, this.#reader.read(this.#offsets[slot] ?? 0, size), undefined);
    if (entry.hash === hash) return entry.evaluation;
    throw new EvaluationError(
      `Row ${row} is not the one that ${path} has a result of: the data have changed. Use another checkpoint, or delete this one.`,
    );
  }

  /** Resolves when the result is in the file. @throws {ResultError} when it is no JSON */
  add(row: number, evaluator: string, hash: string, evaluation: RowEvaluation): Promise<void> {
    return this.#file.append(toLine({ row, hash, evaluator, evaluation }));
  }

  close(): Promise<void> {
    return closeLockedFile({ file: this.#file, reader: this.#reader, release: this.#release });
  }
}

/** A result that no file can contain. It is an error of its row, and not of the file. */
export class ResultError extends EvaluationError {}

function toLine(entry: Entry): string {
  try {
    return JSON.stringify(entry);
  } catch (cause) {
    throw new ResultError(`The metadata of a result must be JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Rows of one run. */
const ROW_MAX = 100_000_000;

function readEntry(path: string, line: string, number: number | undefined): Entry {
  try {
    const entry = JSON.parse(line) as Entry;
    const { row, evaluation } = entry;
    if (Number.isInteger(row) && row >= 0 && row <= ROW_MAX && typeof evaluation?.status === 'string') return entry;
  } catch {
    // Reported below.
  }
  const where = number === undefined ? 'A line' : `Line ${number}`;
  throw new EvaluationError(
    `${where} of ${path} is damaged: expected a result of a row. Delete the line, or use another checkpoint.`,
  );
}

function checkHeader(path: string, line: string, expected: Header): void {
  let header: Partial<Header> | undefined;
  try {
    header = JSON.parse(line) as Partial<Header>;
  } catch {
    // Reported below.
  }
  if (header?.format !== FORMAT)
    throw new EvaluationError(`${path} is no checkpoint of an evaluation; use another path.`);
  if (header.version !== VERSION)
    throw new EvaluationError(
      `${path} is a checkpoint of version ${String(header.version)}, and this package reads ${VERSION}.`,
    );
  const [wanted, given] = [expected.repetition ?? 0, header.repetition ?? 0];
  if (given !== wanted)
    throw new EvaluationError(
      `${path} is of repetition ${given}, and this run is repetition ${wanted}; use a checkpoint for each.`,
    );
  const former = new Map(Object.entries(header.evaluators ?? {}));
  const names = Object.keys(expected.evaluators);
  const other = [...former.keys()].filter((name) => !names.includes(name));
  if (other.length > 0 || former.size !== names.length) {
    throw new EvaluationError(
      `${path} is of a run with the evaluators ${[...former.keys()].join(', ')}, and this one has ${names.join(', ')}; use another checkpoint.`,
    );
  }
  const changed = names.filter((name) => former.get(name) !== expected.evaluators[name]);
  if (changed.length > 0) {
    throw new EvaluationError(
      `${path} is of a run with another version of ${changed.join(', ')} (its prompt, model, choices, mapping or function has changed); use another checkpoint.`,
    );
  }
}

const fingerprint = (evaluator: EvaluatorBase<never>): string => hashText(JSON.stringify(evaluator.describe()));

/** 96 bits, which are enough to notice a change. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);
