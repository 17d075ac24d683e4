import type { Command } from '../command-line/command.ts';
import { DATA_COMMANDS } from './data.ts';
import { EVALUATION_COMMANDS } from './evaluations.ts';
import { FLOW_COMMANDS } from './flow.ts';
import { LOCAL_COMMANDS } from './local.ts';
import { ANNOTATION_CONFIG_COMMANDS, API_COMMANDS, PROJECT_COMMANDS } from './projects.ts';
import { SPAN_COMMANDS } from './spans.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...PROJECT_COMMANDS,
  ...SPAN_COMMANDS,
  ...FLOW_COMMANDS,
  ...DATA_COMMANDS,
  ...EVALUATION_COMMANDS,
  ...ANNOTATION_CONFIG_COMMANDS,
  ...API_COMMANDS,
  ...LOCAL_COMMANDS,
];

/** `projects` is `project`. Nouns that end with s in the table stay. */
export function singular(noun: string): string {
  const known = (name: string) => COMMANDS.some(({ path }) => path[0] === name);
  if (known(noun)) return noun;
  const single = noun.replace(/s$/, '');
  if (known(single)) return single;
  const plural = `${noun}s`;
  return known(plural) ? plural : noun;
}

/** The command whose words come first; the longest one wins. */
export function findCommand(
  words: readonly string[],
): { readonly command: Command; readonly wordCount: number } | undefined {
  const normal = [singular(words[0] ?? ''), ...words.slice(1)];
  const found = COMMANDS.filter(({ path }) => path.every((word, index) => normal[index] === word)).sort(
    (left, right) => right.path.length - left.path.length,
  );
  const [command] = found;
  return command && { command, wordCount: command.path.length };
}
