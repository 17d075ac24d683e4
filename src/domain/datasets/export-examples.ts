import { type ExactJson, isJsonObject } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { toPythonJson } from '../../base/python-text.ts';
import type { DatasetExample } from '../../model/dataset.ts';
import type { Ports } from '../ports.ts';
import { CsvColumn, csvLine, leavesOf, withoutFormula } from './files/csv-text.ts';
import { BUCKETS } from './files/table-columns.ts';
import { type ExampleSelection, readExamples } from './read-examples.ts';

/** ID of an example in a download. */
export type NodeIdOf = (exampleRowId: number) => string;

/**
 * Yields the examples of a version as CSV, in chunks. It reads the rows twice, because the header has a column for
 * every leaf of any row, in the order in which the leaves appear.
 *
 * Cells contain the stored values, even if a spreadsheet treats them as formulas, so that the file can be uploaded
 * again. With `forSpreadsheet`, such cells start with an apostrophe.
 */
export async function* exportCsv(
  ports: Pick<Ports, 'datasets'>,
  selection: ExampleSelection | undefined,
  nodeIdOf: NodeIdOf,
  { forSpreadsheet = false }: { readonly forSpreadsheet?: boolean } = {},
): AsyncGenerator<string> {
  const print = (value: ExactJson | undefined, cell: string) => (forSpreadsheet ? withoutFormula(value, cell) : cell);
  const columns = new Map<string, CsvColumn>();
  let rowCount = 0;
  for await (const batch of readSelected(ports, selection)) {
    rowCount += batch.length;
    for (const [path, leaf] of batch.flatMap((example) => [...exampleLeaves(example)])) {
      const column = columns.get(path) ?? new CsvColumn();
      column.note(leaf);
      columns.set(path, column);
    }
  }
  if (!selection || rowCount === 0) return yield '\n';

  const withSplits = await ports.datasets.hasSplits(selection.datasetRowId, selection.versionRowId);
  const headers = [...columns.keys()].map((header) => print(header, header));
  yield csvLine(['id', 'node_id', ...headers, ...(withSplits ? ['splits'] : [])]);
  for await (const batch of readSelected(ports, selection)) {
    const splits = withSplits ? await splitsOf(ports, selection, batch) : undefined;
    let text = '';
    for (const example of batch) {
      const leaves = new Map(exampleLeaves(example));
      const cells = Array.from(columns, ([path, column]) => {
        const value = leaves.get(path);
        return print(value, column.print(value, rowCount));
      });
      const names = splits && [toPythonJson(splits.get(example.rowId) ?? [])];
      const [id, nodeId] = idsOf(example, nodeIdOf);
      text += csvLine([print(id, id), nodeId, ...cells, ...(names ?? [])]);
    }
    yield text;
  }
}

/** A line per example: `{"id", "node_id", "input", "output", "metadata", "splits"}`. */
export async function* exportJsonLines(
  ports: Pick<Ports, 'datasets'>,
  selection: ExampleSelection | undefined,
  nodeIdOf: NodeIdOf,
): AsyncGenerator<string> {
  for await (const batch of readSelected(ports, selection)) {
    const splits = selection ? await splitsOf(ports, selection, batch) : undefined;
    yield batch
      .map((example) => {
        const [id, nodeId] = idsOf(example, nodeIdOf);
        const buckets = BUCKETS.map((bucket) => `"${bucket}": ${toPythonJson(parseStored(example[bucket]))}`);
        const names = toPythonJson(splits?.get(example.rowId) ?? []);
        return `{"id": ${JSON.stringify(id)}, "node_id": "${nodeId}", ${buckets.join(', ')}, "splits": ${names}}\n`;
      })
      .join('');
  }
}

/** A line per example, for fine-tuning: the messages of its input, then those of its output, and the tools if any. */
export async function* exportOpenAiFineTuning(
  ports: Pick<Ports, 'datasets'>,
  selection: ExampleSelection | undefined,
): AsyncGenerator<string> {
  yield* exportLines(ports, selection, (input, output): Record<string, ExactJson> => {
    const messages = [...listOf(input.messages), ...listOf(output.messages)];
    const { tools } = input;
    return isTruthy(tools) ? { messages, tools } : { messages };
  });
}

/** A line per example, for evals: the messages of its input, and the text of its output's last message. */
export async function* exportOpenAiEvals(
  ports: Pick<Ports, 'datasets'>,
  selection: ExampleSelection | undefined,
): AsyncGenerator<string> {
  yield* exportLines(ports, selection, (input, output) => {
    const last = listOf(output.messages).at(-1);
    const ideal = last !== undefined && isJsonObject(last) ? last.content : undefined;
    return { messages: listOf(input.messages), ideal: typeof ideal === 'string' ? ideal : '' };
  });
}

type Fields = Readonly<Record<string, ExactJson>>;

async function* exportLines(
  ports: Pick<Ports, 'datasets'>,
  selection: ExampleSelection | undefined,
  toLine: (input: Fields, output: Fields) => Record<string, ExactJson>,
): AsyncGenerator<string> {
  for await (const batch of readSelected(ports, selection)) {
    yield batch
      .map(({ input, output }) => `${toPythonJson(toLine(parseStored(input), parseStored(output)))}\n`)
      .join('');
  }
}

/** Nothing for a version that the dataset does not have. */
async function* readSelected(
  ports: Pick<Ports, 'datasets'>,
  selection: ExampleSelection | undefined,
): AsyncGenerator<DatasetExample[]> {
  if (selection) yield* readExamples(ports, selection);
}

function* exampleLeaves(example: DatasetExample): Generator<readonly [string, ExactJson]> {
  for (const bucket of BUCKETS) yield* leavesOf(parseStored(example[bucket]), bucket);
}

const idsOf = ({ rowId, externalId }: DatasetExample, nodeIdOf: NodeIdOf): [id: string, nodeId: string] => {
  const nodeId = nodeIdOf(rowId);
  return [externalId ?? nodeId, nodeId];
};

const splitsOf = (
  { datasets }: Pick<Ports, 'datasets'>,
  { datasetRowId }: ExampleSelection,
  batch: readonly DatasetExample[],
): Promise<Map<number, string[]>> =>
  datasets.listSplitsOfExamples(
    datasetRowId,
    batch.map(({ rowId }) => rowId),
  );

/** Accepted values are not nested deeper than a body may be. */
const parseStored = (json: string): Record<string, ExactJson> => {
  const value = parseExactJson(json, { depthMax: Number.POSITIVE_INFINITY });
  return isJsonObject(value) ? value : {};
};

const listOf = (value: ExactJson | undefined): ExactJson[] => (Array.isArray(value) ? value : []);

/** Truth of a value in Python, the language of the public clients: an empty list or object is false. */
const isTruthy = (value: ExactJson | undefined): value is ExactJson =>
  Array.isArray(value)
    ? value.length > 0
    : isJsonObject(value)
      ? Object.keys(value).length > 0
      : value !== undefined && value !== null && value !== '' && value !== false && Number(value) !== 0;
