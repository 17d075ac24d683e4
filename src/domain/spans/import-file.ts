import { decodeText } from '../datasets/files/decode-file.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import type { ProjectRef } from '../projects/project-repository.ts';
import { importSpans, rowsOfLines, type SpanImport } from './import-spans.ts';
import { rowsOfParquet } from './rows-of-parquet.ts';

/**
 * Stores the spans of a file that an export wrote, JSON lines or Parquet. A project that is named is created when it does
 * not exist.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND` for a row id that no project has, and as `importSpans`
 */
export async function importFile(
  ports: Pick<Ports, 'imports' | 'projects' | 'spans' | 'writes' | 'caller'>,
  project: ProjectRef,
  file: AsyncGenerator<Uint8Array>,
  signal: AbortSignal,
): Promise<SpanImport> {
  const name = 'name' in project ? project.name : (await getProject(ports, project)).name;
  return ports.imports.run(async () => {
    const { head, bytes } = await peek(file, PARQUET_MAGIC.length);
    if (!PARQUET_MAGIC.equals(head)) return importSpans(ports, name, rowsOfLines(decodeText(bytes), ports.imports));
    const parquet = await ports.spans.openParquet(bytes, { readClass: 'export', signal });
    try {
      return await importSpans(ports, name, rowsOfParquet(parquet));
    } finally {
      await parquet.close();
    }
  });
}

const PARQUET_MAGIC = Buffer.from('PAR1');

interface Peeked {
  /** The first bytes. A shorter file has fewer. */
  readonly head: Uint8Array;
  /** The whole file. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

async function peek(source: AsyncGenerator<Uint8Array>, byteCount: number): Promise<Peeked> {
  let start = Buffer.alloc(0);
  while (start.byteLength < byteCount) {
    const { value, done } = await source.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const bytes = async function* () {
    yield start;
    yield* source;
  };
  return { head: start.subarray(0, byteCount), bytes: bytes() };
}
