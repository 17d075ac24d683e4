import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';

/** A window of 16 MiB, because the databases of a new Postgres are copies of each other, 7 MiB apart. */
const PACKED = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_LGWIN]: 24,
  },
};

/** Writes a data directory to one file (tar, Brotli) without owners, so that any user can unpack it. */
export async function packDataDirectory(dir: string, file: string): Promise<void> {
  const tar = spawn(
    'tar',
    ['--create', '--sparse', '--sort=name', '--exclude=.lock-*', '--exclude=.s.PGSQL*', '--directory', dir, '.'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(tar, 'exit');
  await pipeline(tar.stdout, createBrotliCompress(PACKED), createWriteStream(file));
  await expectSuccess(ended);
}

export async function unpackDataDirectory(file: string, dir: string): Promise<void> {
  // Uses a file, because tar ends before it has read the padding of an archive, which would break a pipe.
  const archive = join(dir, 'archive.tar');
  await pipeline(createReadStream(file), createBrotliDecompress(), createWriteStream(archive));
  const tar = spawn('tar', ['--extract', '--same-permissions', '--directory', dir, '--file', archive], {
    stdio: 'inherit',
  });
  await expectSuccess(once(tar, 'exit'));
  await rm(archive);
}

async function expectSuccess(ended: Promise<unknown[]>): Promise<void> {
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with ${code}`);
}
