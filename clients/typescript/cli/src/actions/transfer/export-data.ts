import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SpandrelClient } from '@spandrel/client';
import { type Action, type Invocation, UsageError } from '../../command-line/command.ts';
import { toByteText } from '../../output/text.ts';
import { findDatasetId, findProjectId, startTimeOf, timeOf } from '../find.ts';
import { noteFilterWarnings } from '../note-filter-warnings.ts';

const FORMATS = {
  project: ['jsonl', 'csv', 'parquet', 'otlp-json'],
  dataset: ['jsonl', 'csv', 'openai_ft', 'openai_evals'],
  experiment: ['json', 'csv'],
} as const;

/** Writes a project, dataset or experiment to a file or to standard output, streamed. */
export const exportData: Action = async (invocation) => {
  const { client, argument, text, out, signal } = invocation;
  const server = await client();
  const noun = argument(0) as keyof typeof FORMATS;
  const formats: readonly string[] = FORMATS[noun];
  const format = text('as') ?? formats[0] ?? '';
  if (!formats.includes(format))
    throw new UsageError(`A ${noun} is exported as ${formats.join(', ')}; received "${format}".`);
  const path = await pathOf(invocation, server, noun, argument(1), format);
  const file = text('output');
  if (file === undefined && format === 'parquet' && process.stdout.isTTY) {
    throw new UsageError('Parquet is no text: pass --output <file>.');
  }
  const response = await server.fetch(path, { headers: { accept: '*/*' }, signal });
  if (!response.body) return;
  const chunks = Readable.fromWeb(response.body as never);
  if (file === undefined) {
    for await (const chunk of chunks) await out.write(chunk as Uint8Array);
    return;
  }
  // A file of this name is complete: an export that is interrupted leaves the former one.
  const temporary = `${file}.part`;
  let byteCount = 0;
  try {
    await pipeline(
      chunks,
      async function* (source: AsyncIterable<Uint8Array>) {
        for await (const chunk of source) {
          byteCount += chunk.byteLength;
          out.progress(toByteText(byteCount));
          yield chunk;
        }
      },
      createWriteStream(temporary),
      { signal },
    );
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  out.note(`Wrote ${file} (${toByteText(byteCount)})`);
};

async function pathOf(
  { text, number, out, signal }: Invocation,
  server: SpandrelClient,
  noun: keyof typeof FORMATS,
  name: string,
  format: string,
): Promise<string> {
  if (noun === 'experiment') return `/v1/experiments/${encodeURIComponent(name)}/${format}`;
  if (noun === 'dataset') {
    const id = encodeURIComponent(await findDatasetId(server, name, signal));
    const suffix = format.startsWith('openai') ? `jsonl/${format}` : format;
    const version = text('version');
    return `/v1/datasets/${id}/${suffix}${version ? `?version_id=${encodeURIComponent(version)}` : ''}`;
  }
  const query = new URLSearchParams({ format });
  const filters = {
    start_time: startTimeOf(text('since'), number('last-n-minutes')),
    end_time: timeOf(text('until'), 'until'),
    filter_condition: text('filter'),
  };
  for (const [key, value] of Object.entries(filters)) if (value !== undefined) query.set(key, value);
  const project = await findProjectId(server, name, signal);
  if (filters.filter_condition !== undefined)
    await noteFilterWarnings(server, project, filters.filter_condition, out, signal);
  return `/v1/projects/${encodeURIComponent(project)}/spans/export?${query}`;
}
