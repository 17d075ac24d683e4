import { createInterface } from 'node:readline/promises';
import { CommandError, type Invocation, UsageError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { toLine } from '../output/text.ts';
import { readSetting } from '../settings/environment.ts';

const SWITCH = 'CLI_DANGEROUSLY_ENABLE_DELETES';

/**
 * Passes when deletions are enabled and the user confirms.
 *
 * @throws {UsageError} when they are not enabled, or nobody can answer and `--yes` is absent
 */
export async function confirmDeletion({ isSet, signal }: Invocation, what: string): Promise<void> {
  const enabled = readSetting(SWITCH)?.toLowerCase();
  if (enabled !== undefined && enabled !== 'true' && enabled !== 'false') {
    throw new UsageError(`SPANDREL_${SWITCH} must be true or false, received "${enabled}".`);
  }
  if (enabled !== 'true') {
    throw new UsageError(`Deleting is disabled. Set SPANDREL_${SWITCH}=true to delete ${what}.`);
  }
  if (isSet('yes')) return;
  if (!process.stdin.isTTY) throw new UsageError(`Pass --yes to delete ${what} without a question.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Delete ${toLine(what, 200)}? You cannot undo it. [y/N] `, { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was deleted.', EXIT.cancelled);
  } finally {
    terminal.close();
  }
}
