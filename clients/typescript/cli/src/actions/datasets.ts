import { writeFile } from 'node:fs/promises';
import { type Action, CommandError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { toTable } from '../output/table.ts';
import { toTime } from '../output/text.ts';
import { findDatasetId } from './find.ts';
import { dataOf, readPages } from './pages.ts';

export const listDatasets: Action = async ({ client, number, out, signal }) => {
  const server = await client();
  const datasets = readPages(
    (cursor) => server.GET('/v1/datasets', { params: { query: { limit: 100, cursor } }, signal }),
    number('limit'),
  );
  await out.list(
    datasets,
    [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'EXAMPLES', isRight: true, text: ({ example_count: count }) => count },
      { title: 'UPDATED', text: ({ updated_at: updated }) => toTime(updated) },
      { title: 'ID', text: ({ id }) => id },
      { title: 'DESCRIPTION', text: ({ description }) => description },
    ],
    'No datasets. spandrel import dataset <file> --name <name> makes one.',
  );
};

/** Examples that one call reads; `export dataset` has no limit. */
const EXAMPLE_COUNT_MAX = 100_000;
const SHOWN_COUNT = 20;

export const getDataset: Action = async ({ client, argument, text, list, out, signal }) => {
  const server = await client();
  const id = await findDatasetId(server, argument(0), signal);
  const examples: unknown[] = [];
  let answer: { readonly version_id: string; readonly filtered_splits: readonly string[] } | undefined;
  let cursor: string | undefined;
  do {
    const query = {
      version_id: answer?.version_id ?? text('version'),
      split: list('split').length > 0 ? [...list('split')] : undefined,
      limit: 1_000,
      cursor,
    };
    const { data, response } = await server.GET('/v1/datasets/{id}/examples', {
      params: { path: { id }, query },
      signal,
    });
    const page = dataOf({ ...(data && { data }), response });
    answer = page;
    examples.push(...page.examples);
    cursor = (data as { readonly next_cursor?: string | null }).next_cursor ?? undefined;
    out.progress(`${examples.length} examples`);
    if (cursor && examples.length >= EXAMPLE_COUNT_MAX) {
      throw new CommandError(
        `The dataset has more than ${EXAMPLE_COUNT_MAX} examples. spandrel export dataset writes them to a file.`,
        EXIT.failure,
      );
    }
  } while (cursor);
  const document = { dataset_id: id, ...answer, examples };
  const file = text('file');
  if (file !== undefined) {
    await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
    return out.note(`Wrote ${examples.length} examples to ${file}`);
  }
  await out.item(document, () => {
    const rows = examples.slice(0, SHOWN_COUNT).map((example) => {
      const { id: exampleId, input, output } = example as { id: string; input: unknown; output: unknown };
      return [exampleId, JSON.stringify(input), JSON.stringify(output)];
    });
    const rest = examples.length - rows.length;
    const columns = [{ title: 'EXAMPLE' }, { title: 'INPUT' }, { title: 'OUTPUT' }];
    const more = rest > 0 ? `\n… and ${rest} more: --json shows all.` : '';
    return `${examples.length} examples of version ${answer?.version_id}\n\n${toTable(columns, rows, { isFirst: true, output: out })}${more}`;
  });
};
