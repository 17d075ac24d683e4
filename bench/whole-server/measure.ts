import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** True in the test run, which only verifies that each bench works. */
export const isSmoke = process.env.SMOKE === '1';

/** The tiny size in a smoke run, otherwise the value of the variable, otherwise the full size. */
export function size(variable: string | undefined, { smoke, full }: { smoke: number; full: number }): number {
  if (isSmoke) return smoke;
  const text = variable === undefined ? undefined : process.env[variable];
  return text === undefined || text === '' ? full : Number(text);
}

export interface LatencySummary {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Durations in milliseconds. */
export class LatencyRecorder {
  readonly #values: number[] = [];

  add(ms: number): void {
    this.#values.push(ms);
  }

  get count(): number {
    return this.#values.length;
  }

  summary(): LatencySummary {
    const sorted = Float64Array.from(this.#values).sort();
    const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
    return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
  }
}

/** A value every `everyMs` until it is stopped; a reading that fails is left out. */
export function sample<T>(everyMs: number, read: () => T): { stop(): T[] } {
  const values: T[] = [];
  const timer = setInterval(() => {
    values.push(read());
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return values;
    },
  };
}

/** Bytes that a directory takes on the disk, holes not counted. */
export const diskBytes = (dir: string): number =>
  Number(execFileSync('du', ['-s', '-B1', dir], { encoding: 'utf8' }).split('\t')[0]);

export const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
export const ms = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
export const count = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ratio = (value: number): string => `${value.toFixed(2)}×`;

/** Prints rows as a Markdown table, ready for `docs/benchmarks.md`, below the question and the machine. */
export function printTable(question: string, rows: readonly Readonly<Record<string, string>>[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  console.log(`\n${question}\n${machine()}\n`);
  console.log(line(columns));
  console.log(line(widths.map((width) => '-'.repeat(width))));
  for (const row of rows) console.log(line(columns.map((column) => row[column] ?? '')));
}

const machine = () => {
  const cores = cpus();
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  return `${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'}), ${memory}, Node ${process.versions.node}, generator on the same machine${isSmoke ? ', smoke size: figures mean nothing' : ''}`;
};
