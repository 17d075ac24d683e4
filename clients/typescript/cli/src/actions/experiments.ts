import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpandrelClient } from '@spandrel/client';
import type { Action } from '../command-line/command.ts';
import { toFacts } from '../output/table.ts';
import { toTime } from '../output/text.ts';
import { checkExperiment, findDatasetId } from './find.ts';
import { dataOf, readPages } from './pages.ts';

export const listExperiments: Action = async ({ client, argument, text, number, out, signal }) => {
  const server = await client();
  const path = { dataset_id: await findDatasetId(server, text('dataset') ?? '', signal) };
  const experiments = readPages(
    (cursor) =>
      server.GET('/v1/datasets/{dataset_id}/experiments', { params: { path, query: { limit: 100, cursor } }, signal }),
    number('limit'),
  );
  const folder = argument(0);
  if (folder) {
    await mkdir(folder, { recursive: true });
    let count = 0;
    for await (const { id } of experiments) {
      await writeFile(join(folder, `${id.replace(/[^\w-]/g, '_')}.json`), await readRecords(server, id, signal));
      out.progress(`${++count} experiments`);
    }
    return out.note(`Wrote ${count} experiments to ${folder}`);
  }
  await out.list(
    experiments,
    [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'ID', text: ({ id }) => id },
      { title: 'CREATED', text: ({ created_at: created }) => toTime(created) },
      { title: 'EXAMPLES', isRight: true, text: ({ example_count: count }) => count },
      { title: 'OK', isRight: true, text: ({ successful_run_count: count }) => count },
      { title: 'FAILED', isRight: true, text: ({ failed_run_count: count }) => count },
      { title: 'MISSING', isRight: true, text: ({ missing_run_count: count }) => count },
    ],
    'The dataset has no experiments.',
  );
};

/** The records of an experiment as the server writes them. */
async function readRecords(server: SpandrelClient, id: string, signal: AbortSignal): Promise<string> {
  const response = await server.fetch(`/v1/experiments/${encodeURIComponent(id)}/json`, { signal });
  return response.text();
}

export const getExperiment: Action = async ({ client, argument, text, out, signal }) => {
  const server = await client();
  const id = argument(0);
  const records = () => readRecords(server, id, signal);
  const explain = async (error: unknown): Promise<never> => {
    await checkExperiment(server, id, signal);
    throw error;
  };
  const file = text('file');
  if (file !== undefined) {
    await writeFile(file, await records().catch(explain));
    return out.note(`Wrote ${file}`);
  }
  if (!out.isPretty) return out.item(JSON.parse(await records().catch(explain)), () => '');
  const params = { path: { experiment_id: id } };
  const experiment = dataOf(await server.GET('/v1/experiments/{experiment_id}', { params, signal }).catch(explain));
  await out.item(experiment, () =>
    toFacts([
      ['Name', experiment.name],
      ['ID', experiment.id],
      ['Dataset', experiment.dataset_id],
      ['Description', experiment.description],
      ['Project', experiment.project_name],
      ['Created', toTime(experiment.created_at)],
      ['Examples', experiment.example_count],
      ['Repetitions', experiment.repetitions],
      [
        'Runs',
        `${experiment.successful_run_count} ok, ${experiment.failed_run_count} failed, ${experiment.missing_run_count} missing`,
      ],
    ]),
  );
};
