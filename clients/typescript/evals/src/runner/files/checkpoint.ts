import { createHash } from 'node:crypto';
import { EvaluationError } from '../../errors.ts';
import type { EvaluatorBase } from '../../evaluators/evaluator-base.ts';
import type { RowEvaluation } from '../evaluated-row.ts';
import { AppendFile } from './append-file.ts';
import { LineReader, readPositions } from './line-positions.ts';
import { lockFile } from './run-lock.ts';

const FORMAT = 'spandrel-evaluation-checkpoint';
const VERSION = 1;

interface Header {
  readonly format: string;
  readonly version: number;
  /** Name → fingerprint. */
  readonly evaluators: Readonly<Record<string, string>>;
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
  /** Results of earlier runs that can be used. */
  count = 0;

  private constructor(file: AppendFile, reader: LineReader, names: readonly string[], release: () => void) {
    this.#file = file;
    this.#reader = reader;
    this.#names = names;
    this.#release = release;
  }

  /** @throws {EvaluationError} when the file is of other evaluators or of another kind */
  static async open(path: string, evaluators: readonly EvaluatorBase<never>[]): Promise<Checkpoint> {
    const names = evaluators.map(({ name }) => name);
    const header: Header = {
      format: FORMAT,
      version: VERSION,
      evaluators: Object.fromEntries(evaluators.map((evaluator) => [evaluator.name, fingerprint(evaluator)])),
    };
    const release = lockFile(path);
    try {
      const file = await AppendFile.open(path);
      const checkpoint = new Checkpoint(file, new LineReader(path), names, release);
      await checkpoint.#load(path, header);
      return checkpoint;
    } catch (error) {
      release();
      throw error;
    }
  }

  async #load(path: string, header: Header): Promise<void> {
    let isFirst = true;
    for await (const { line, offset, byteCount } of readPositions(path)) {
      if (isFirst) checkHeader(path, line, header);
      else this.#remember(JSON.parse(line) as Entry, offset, byteCount);
      isFirst = false;
    }
    if (isFirst) await this.#file.append(JSON.stringify(header));
  }

  #remember({ row, evaluator, evaluation }: Entry, offset: number, byteCount: number): void {
    const column = this.#names.indexOf(evaluator);
    if (column < 0) return;
    const slot = row * this.#names.length + column;
    this.#growTo(slot + 1);
    const wasThere = this.#sizes[slot] !== 0;
    const isUsable = evaluation.status !== 'FAILED';
    this.#offsets[slot] = offset;
    this.#sizes[slot] = isUsable ? byteCount : 0;
    this.count += Number(isUsable) - Number(wasThere);
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
    const entry = JSON.parse(this.#reader.read(this.#offsets[slot] ?? 0, size)) as Entry;
    if (entry.hash === hash) return entry.evaluation;
    throw new EvaluationError(
      `Row ${row} is not the one that ${this.#file.path} has a result of: the data have changed. Use another checkpoint, or delete this one.`,
    );
  }

  /** Resolves when the result is in the file. */
  add(row: number, evaluator: string, hash: string, evaluation: RowEvaluation): Promise<void> {
    return this.#file.append(JSON.stringify({ row, hash, evaluator, evaluation } satisfies Entry));
  }

  async close(): Promise<void> {
    try {
      this.#reader.close();
      await this.#file.close();
    } finally {
      this.#release();
    }
  }
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
