import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Copies a database file that DuckDB has open and does not write to. Another process copies it, because closing any descriptor
 * of the file in this process would release DuckDB's lock on it (POSIX record locks belong to the process). A failure leaves
 * `to` unchanged.
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
