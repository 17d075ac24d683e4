import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Copies a database file that DuckDB has open and does not write to now. Another process does it: closing any
 * descriptor of the file in this one would give up DuckDB's lock on it (POSIX record locks belong to the process).
 * `to` is whole or as before.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['-e', COPY, from, `${to}.new`, to]);
}

const COPY = `
const { constants, copyFileSync, fsyncSync, openSync, renameSync } = require('node:fs');
const { dirname } = require('node:path');
const [from, part, to] = process.argv.slice(1);
copyFileSync(from, part, constants.COPYFILE_FICLONE);
fsyncSync(openSync(part, 'r+'));
renameSync(part, to);
fsyncSync(openSync(dirname(to), 'r'));
`;
