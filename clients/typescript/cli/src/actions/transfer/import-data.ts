import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Action, CommandError, UsageError } from '../../command-line/command.ts';
import { EXIT } from '../../exit-codes.ts';
import { describeFileError } from '../../output/file-error.ts';
import { toLine } from '../../output/text.ts';
import { findExampleColumns, WHOLE_PARTS } from './example-columns.ts';

/** The file as a stream that is opened for each attempt. @throws {UsageError} when it cannot be read */
async function fileOf(
  path: string,
): Promise<{ readonly size: number; readonly read: () => ReadableStream<Uint8Array> }> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(describeFileError(error, path));
  });
  if (!found.isFile()) throw new UsageError(`${path} is no file.`);
  const read = () =>
    Readable.toWeb(
      Readable.from(
        (async function* () {
          const handle = await open(path);
          try {
            yield* handle.createReadStream({ autoClose: false });
          } finally {
            await handle.close();
          }
        })(),
      ),
    ) as ReadableStream<Uint8Array>;
  return { size: found.size, read };
}

/** Sends spans that an export wrote. A stored span stays as it is, so the same file can be sent again. */
export const importSpans: Action = async (invocation) => {
  const { client, argument, out, signal } = invocation;
  const { read } = await fileOf(argument(0));
  const project = await invocation.project();
  const server = await client({ openBody: read });
  const type = argument(0).endsWith('.parquet') ? 'application/vnd.apache.parquet' : 'application/x-ndjson';
  const response = await server.fetch(`/v1/projects/${encodeURIComponent(project)}/spans/import`, {
    method: 'POST',
    headers: { 'content-type': type, ...(argument(0).endsWith('.gz') && { 'content-encoding': 'gzip' }) },
    signal,
  });
  const { data } = (await response.json()) as { readonly data: ImportedSpans };
  await out.item(
    data,
    () =>
      `Stored ${data.stored_span_count} of ${data.received_span_count} spans; ${data.repeated_span_count} were stored before (a span keeps its project), ${data.refused_span_count} rejected.`,
  );
  for (const { line, reason } of data.refusals) out.note(`line ${line}: ${toLine(reason, 300)}`);
  return data.refused_span_count > 0 ? EXIT.failure : EXIT.ok;
};

interface ImportedSpans {
  readonly received_span_count: number;
  readonly stored_span_count: number;
  readonly repeated_span_count: number;
  readonly refused_span_count: number;
  readonly refusals: readonly { readonly line: number; readonly reason: string }[];
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['jsonl', 'application/jsonl'],
  ['ndjson', 'application/jsonl'],
  ['arrow', 'application/x-pandas-pyarrow'],
  ['parquet', 'application/vnd.apache.parquet'],
]);

/** Uploads a file to a dataset. */
export const importDataset: Action = async ({ client, argument, text, list, isSet, out, signal }) => {
  const path = argument(0);
  const { read } = await fileOf(path);
  const ending = path.split('.').at(-1)?.toLowerCase() ?? '';
  const type = TYPES.get(ending);
  if (!type) throw new UsageError(`The file must end with ${[...TYPES.keys()].join(', ')}; received "${path}".`);
  const named = { input: list('input'), output: list('output-key'), metadata: list('metadata') };
  const isNamed = Object.values(named).some((columns) => columns.length > 0);
  const columns = isNamed ? { ...named, isWhole: false } : await findExampleColumns(path, ending);
  const fields: [string, string][] = [
    ['name', text('name') ?? ''],
    ['action', text('action') ?? ''],
    ...columns.input.map((key): [string, string] => ['input_keys[]', key]),
    ...columns.output.map((key): [string, string] => ['output_keys[]', key]),
    ...columns.metadata.map((key): [string, string] => ['metadata_keys[]', key]),
    ...(columns.isWhole ? WHOLE_PARTS : []).map((key): [string, string] => ['flatten_keys[]', key]),
    ...(['id-key', 'split-key'] as const).flatMap((flag): [string, string][] => {
      const value = text(flag);
      return value === undefined ? [] : [[flag === 'id-key' ? 'example_id_key' : 'split_key', value]];
    }),
  ];
  const boundary = `spandrel-${crypto.randomUUID()}`;
  const server = await client({ openBody: () => toForm(boundary, fields, type, read) });
  const query = new URLSearchParams({
    rejected_rows: isSet('skip-rejected') ? 'skip' : 'fail',
    upload_id: crypto.randomUUID(),
  });
  if (isSet('dry-run')) query.set('dry_run', 'true');
  const response = await server.fetch(`/v1/dataset_uploads?${query}`, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    signal,
  });
  const { data } = (await response.json()) as { readonly data: DatasetUpload };
  await out.item(data, () => toText(data));
  for (const { line, reason } of data.rejected_rows) out.note(`line ${line}: ${toLine(reason, 300)}`);
  if (!isSet('dry-run') && data.stored === null) throw new CommandError('Nothing was stored.', EXIT.failure);
};

interface DatasetUpload {
  readonly stored: {
    readonly dataset_id: string;
    readonly created: number;
    readonly updated: number;
    readonly deleted: number;
  } | null;
  readonly plan: {
    readonly created_count: number;
    readonly changed_count: number;
    readonly deleted_count: number;
    readonly unchanged_count: number;
  };
  readonly rejected_count: number;
  readonly rejected_rows: readonly { readonly line: number; readonly reason: string }[];
}

function toText({ stored, plan, rejected_count: rejected }: DatasetUpload): string {
  const counts = `${plan.created_count} new, ${plan.changed_count} changed, ${plan.deleted_count} deleted, ${plan.unchanged_count} equal, ${rejected} rejected`;
  return stored
    ? `Stored in dataset ${stored.dataset_id}: ${counts}.`
    : `Nothing is stored yet. The file would make: ${counts}.`;
}

/** A form whose last part is the file, streamed: `FormData` would read all of it first. */
function toForm(
  boundary: string,
  fields: readonly (readonly [string, string])[],
  type: string,
  read: () => ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const head = fields
    .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('');
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="file"\r\ncontent-type: ${type}\r\n\r\n`;
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head + file);
    yield* read() as unknown as AsyncIterable<Uint8Array>;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  return Readable.toWeb(Readable.from(parts())) as ReadableStream<Uint8Array>;
}
