import { createGzip } from 'node:zlib';

const MiB = 1024 * 1024;

/** Zeros that inflate to `byteCount`, made without holding them. */
export async function gzipBomb(byteCount: number): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => gzip.once('end', resolve));
  const zeros = Buffer.alloc(4 * MiB);
  for (let written = 0; written < byteCount; written += zeros.length) {
    if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end();
  await ended;
  return Buffer.concat(chunks);
}
