// biome-ignore-all lint/style/noNonNullAssertion: indices are below the length of a page.
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

const PAGE_BYTES = 8_192;
const PAGES_OF_SEGMENT = 131_072;
const PAGES_AT_ONCE = 128;

/** Files of tables and indexes in all forks and segments: `1255`, `1255_vm`, `1255.1`. Temporary ones have other names. */
const RELATION_FILE = /^\d+(?:_(?:fsm|vm|init))?(?:\.(\d+))?$/;

/**
 * Verifies the checksums of all pages of a cluster while no Postgres runs on it, in all of its databases and whether or not
 * a query would read them. After a crash, a page may be torn until Postgres has recovered, so recover a copy first.
 *
 * @param nameOf Name of the relation in a file by the path of its first segment, such as `base/5/1255`.
 * @returns one line per damaged file
 */
export function verifyPages(data: string, nameOf: (path: string) => string | undefined): string[] {
  const directories = ['global', ...listNames(join(data, 'base')).map((name) => join('base', name))];
  return directories.flatMap((directory) =>
    listNames(join(data, directory)).flatMap((file) => {
      const [isRelation, segment = '0'] = RELATION_FILE.exec(file) ?? [];
      if (isRelation === undefined) return [];
      const path = join(directory, file);
      const problem = verifyFile(join(data, path), Number(segment) * PAGES_OF_SEGMENT);
      if (problem === undefined) return [];
      const name = nameOf(path.replace(/(_\w+)?(\.\d+)?$/, ''));
      return [`${name === undefined ? path : `${name} (${path})`}: ${problem}`];
    }),
  );
}

const listNames = (directory: string): string[] => {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    // A directory that is missing has stopped Postgres already. A file is none of ours.
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
};

function verifyFile(path: string, firstPage: number): string | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const pageCount = Math.floor(size / PAGE_BYTES);
    const buffer = new Uint8Array(PAGES_AT_ONCE * PAGE_BYTES);
    const damaged: number[] = [];
    for (let page = 0; page < pageCount; page += PAGES_AT_ONCE) {
      const count = Math.min(PAGES_AT_ONCE, pageCount - page);
      readSync(file, buffer, 0, count * PAGE_BYTES, page * PAGE_BYTES);
      for (let index = 0; index < count; index++) {
        const number = firstPage + page + index;
        if (!isWhole(buffer.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES), number)) damaged.push(number);
      }
    }
    if (damaged.length > 0)
      return `${damaged.length} of ${pageCount} pages do not match their checksum, page ${damaged[0]} first`;
    return size % PAGE_BYTES === 0 ? undefined : `it ends in the middle of page ${firstPage + pageCount}`;
  } finally {
    closeSync(file);
  }
}

/** Whether a page matches its checksum. One that was added to its file and never written consists of zeros. */
function isWhole(page: Uint8Array, number: number): boolean {
  const words = new Int32Array(page.buffer, page.byteOffset, PAGE_BYTES / 4);
  const halves = new Uint16Array(page.buffer, page.byteOffset, PAGE_BYTES / 2);
  const expected = halves[CHECKSUM_AT]!;
  if (expected === 0 && words.every((word) => word === 0)) return true;
  halves[CHECKSUM_AT] = 0;
  return expected === (((checksumOf(words) ^ number) >>> 0) % 65_535) + 1;
}

/** Position of `pd_checksum` in the header of a page, in units of two bytes. */
const CHECKSUM_AT = 4;

/** The checksum of Postgres: 32 interleaved FNV-1a hashes with an additional shift, in the byte order of the machine. */
function checksumOf(words: Int32Array): number {
  const sums = Int32Array.from(OFFSETS);
  const sumCount = sums.length;
  for (let at = 0; at < words.length; at += sumCount) {
    for (let index = 0; index < sumCount; index++) sums[index] = mix(sums[index]! ^ words[at + index]!);
  }
  return sums.reduce((result, sum) => result ^ mix(mix(sum)), 0);
}

const mix = (value: number): number => Math.imul(value, 16_777_619) ^ (value >>> 17);

/** Random values from the source of Postgres, `storage/checksum_impl.h`. */
const OFFSETS = [
  0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c, 0xf8d4474f,
  0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb, 0xe58f764b, 0x187636bc,
  0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4, 0x783125bb, 0x6ca8eaa2, 0xe407eac6,
  0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756,
];
