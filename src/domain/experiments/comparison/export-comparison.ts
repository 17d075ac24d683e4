import { COMPARISON_ROW_COUNT_MAX } from '../../../model/limits/comparisons.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { NodeIdOf } from '../../datasets/export-examples.ts';
import { csvLine, withoutFormula } from '../../datasets/files/csv-text.ts';
import type { Ports } from '../../ports.ts';
import { type Comparison, readComparison } from './comparison.ts';
import { toComparisonText } from './comparison-text.ts';
import { type ComparedRow, type DetailedRun, type RowsQuery, readRows } from './list-rows.ts';
import type { CostPorts } from './run-costs.ts';
import { selectRows } from './select-rows.ts';

type Reads = CostPorts & Pick<Ports, 'annotationConfigs' | 'caller'>;

/**
 * The rows of a comparison as CSV, in their order and with their filter: a line per example and repetition, with columns for
 * each experiment. Texts are as long as the interface shows them, and a spreadsheet runs none of them.
 *
 * @returns The chunks of the file, which are read while they are sent.
 * @throws {SpandrelError} before the first chunk, as for the rows
 */
export async function exportComparisonCsv(
  ports: Reads,
  query: Omit<RowsQuery, 'offset' | 'limit'>,
  exampleIdOf: NodeIdOf,
  options: ReadOptions,
): Promise<AsyncIterable<string>> {
  const comparison = await readComparison(ports, query);
  const { rows } = await selectRows(ports, comparison, query, options);
  return writeLines(ports, comparison, rows, exampleIdOf, options);
}

async function* writeLines(
  ports: Reads,
  comparison: Comparison,
  rows: Int32Array,
  exampleIdOf: NodeIdOf,
  options: ReadOptions,
): AsyncGenerator<string> {
  const scoreNames = comparison.columns.map(({ scores, personScores }) => [
    ...[...scores.keys()].map((name) => ({ name, isPerson: false })),
    ...[...personScores.keys()].map((name) => ({ name, isPerson: true })),
  ]);
  yield toLine([
    ...EXAMPLE_HEADERS,
    ...comparison.experiments.flatMap(({ name }, index) => {
      // Experiments may have the same name.
      const prefix = `${index + 1}. ${name}`;
      const scores = (scoreNames[index] ?? []).map((one) => (one.isPerson ? `${one.name} (people)` : one.name));
      return [...RUN_HEADERS, ...scores].map((header) => `${prefix}: ${header}`);
    }),
  ]);
  for (let from = 0; from < rows.length; from += COMPARISON_ROW_COUNT_MAX) {
    options.signal?.throwIfAborted();
    const read = await readRows(ports, comparison, rows.subarray(from, from + COMPARISON_ROW_COUNT_MAX), options);
    yield read.map((row) => toLines(row, scoreNames, exampleIdOf)).join('');
  }
}

const EXAMPLE_HEADERS = ['example_id', 'external_id', 'position', 'splits', 'input', 'reference_output', 'repetition'];
const RUN_HEADERS = ['output', 'error', 'latency_ms', 'total_tokens', 'total_cost', 'trace_id'] as const;

type ScoreNames = readonly (readonly { readonly name: string; readonly isPerson: boolean }[])[];

function toLines({ example, position, splits, runs }: ComparedRow, names: ScoreNames, exampleIdOf: NodeIdOf): string {
  const repetitions = new Set(runs.flatMap((list) => list.map(({ repetitionNumber }) => repetitionNumber)));
  const numbers = repetitions.size === 0 ? [null] : [...repetitions].sort((a, b) => a - b);
  return numbers
    .map((number) =>
      toLine([
        exampleIdOf(example.exampleRowId),
        example.externalId ?? '',
        position,
        splits.join(', '),
        textOf(example.input),
        textOf(example.output),
        number,
        ...runs.flatMap((list, index) =>
          runCells(
            list.find(({ repetitionNumber }) => repetitionNumber === number),
            names[index] ?? [],
          ),
        ),
      ]),
    )
    .join('');
}

type Cell = string | number | null;

function runCells(run: DetailedRun | undefined, names: ScoreNames[number]): Cell[] {
  if (!run) return [...RUN_HEADERS, ...names].map(() => '');
  const { output, error, latencyMs, costs, traceId, scores } = run;
  // The sum of a trace without prices is 0.
  const pico = (costs?.promptPico ?? 0) + (costs?.completionPico ?? 0);
  return [
    error === null ? textOf(output) : '',
    error ?? '',
    latencyMs,
    costs ? costs.tokensPrompt + costs.tokensCompletion : null,
    pico === 0 ? null : pico / 1e12,
    traceId ?? '',
    ...names.map(({ name, isPerson }) => {
      const found = scores.filter((score) => score.name === name && score.isPerson === isPerson);
      const numbers = found.flatMap(({ score }) => (score === null || !Number.isFinite(score) ? [] : [score]));
      if (numbers.length > 0) return numbers.reduce((sum, score) => sum + score, 0) / numbers.length;
      return found.flatMap(({ label }) => label ?? []).join(', ');
    }),
  ];
}

function textOf(json: string): string {
  const { text, isCut } = toComparisonText(json);
  return isCut ? `${text}…` : text;
}

const toLine = (cells: readonly Cell[]): string =>
  csvLine(
    cells.map((cell) => (typeof cell === 'string' ? withoutFormula(cell, cell) : cell === null ? '' : String(cell))),
  );
