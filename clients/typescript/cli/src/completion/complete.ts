import type { Command, CompletionSource, Flag } from '../command-line/command.ts';
import { flagsOf, GLOBAL_FLAGS } from '../command-line/global-flags.ts';
import { COMMANDS, findCommand, singular } from '../commands/table.ts';
import { namesOf, refreshNames } from './names.ts';

interface Candidate {
  readonly word: string;
  readonly help: string;
}

const CANDIDATE_COUNT_MAX = 200;

/**
 * Prints the words that may follow, one per line as `word<tab>help`. The last argument is the word to complete, which may be
 * empty; after `marked`, a dot follows it. Completion never fails and never prints an error: it would disturb the line that a
 * user writes.
 */
export async function complete(args: readonly string[], serverCommands: readonly string[]): Promise<void> {
  const [mode, ...rest] = args;
  if (mode === 'refresh') return refreshNames(rest);
  const words = mode === 'marked' ? [...rest.slice(0, -1), (rest.at(-1) ?? '').replace(/\.$/, '')] : args;
  try {
    const candidates = await find(words, serverCommands);
    const begin = words.at(-1) ?? '';
    const lines = candidates
      .filter(({ word }) => word.startsWith(begin))
      .slice(0, CANDIDATE_COUNT_MAX)
      .map(({ word, help }) => `${word}\t${help}\n`);
    process.stdout.write(lines.join(''));
  } catch {
    // See above.
  }
}

async function find(words: readonly string[], serverCommands: readonly string[]): Promise<readonly Candidate[]> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const found = findCommand(before);
  if (!found || (before.length === 1 && found.command.path.length === 1 && verbsOf(before[0] ?? '').length > 1)) {
    const verbs = before.length <= 1 ? nextWords(before, serverCommands) : [];
    if (!found) return verbs;
    return [...verbs, ...(await forCommand(found.command, before.slice(found.wordCount), current, words))];
  }
  return forCommand(found.command, before.slice(found.wordCount), current, words);
}

const verbsOf = (noun: string) => COMMANDS.filter(({ path }) => path[0] === singular(noun));

function nextWords(before: readonly string[], serverCommands: readonly string[]): readonly Candidate[] {
  const [noun] = before;
  if (noun !== undefined) {
    return verbsOf(noun).flatMap(({ path, help }) => (path[1] ? [{ word: path[1], help }] : []));
  }
  const nouns = new Map(COMMANDS.map(({ path, help }) => [path[0] ?? '', path.length === 1 ? help : '']));
  return [
    ...[...nouns].map(([word, help]) => ({ word, help })),
    ...serverCommands.map((word) => ({ word, help: 'command of the server' })),
  ];
}

async function forCommand(
  command: Command,
  before: readonly string[],
  current: string,
  words: readonly string[],
): Promise<readonly Candidate[]> {
  const flags = [...flagsOf(command), ...GLOBAL_FLAGS];
  const last = before.at(-1) ?? '';
  const open = last.startsWith('-') ? flags.find((flag) => isWritten(flag, last)) : undefined;
  if (open && open.kind !== 'switch') return toCandidates(open, words);
  const [name = '', value] = current.split(/=(.*)/s);
  const joined = value === undefined ? undefined : flags.find((flag) => isWritten(flag, name));
  if (joined && joined.kind !== 'switch') {
    return (await toCandidates(joined, words)).map(({ word, help }) => ({ word: `${name}=${word}`, help }));
  }
  if (current.startsWith('-')) {
    const used = new Set(before);
    return flags
      .filter(({ name, kind }) => kind === 'list' || !used.has(`--${name}`))
      .map(({ name, help }) => ({ word: `--${name}`, help }));
  }
  const index = countPositionals(before, flags);
  const argument = command.arguments?.[index];
  return argument ? toCandidates(argument, words) : [];
}

const isWritten = ({ name, short }: Flag, word: string): boolean => word === `--${name}` || word === `-${short}`;

function countPositionals(before: readonly string[], flags: readonly Flag[]): number {
  let count = 0;
  for (let index = 0; index < before.length; index++) {
    const word = before[index] ?? '';
    if (!word.startsWith('-')) count++;
    else if (flags.some((flag) => isWritten(flag, word) && flag.kind !== 'switch')) index++;
  }
  return count;
}

async function toCandidates(
  { choices, completion }: { readonly choices?: readonly string[]; readonly completion?: CompletionSource },
  words: readonly string[],
): Promise<readonly Candidate[]> {
  if (choices) return choices.map((word) => ({ word, help: '' }));
  if (completion === undefined || completion === 'files') return [];
  return (await namesOf(completion, words)).map((word) => ({ word, help: '' }));
}
