import type { Command, Flag } from './command.ts';
import { flagsOf, GLOBAL_FLAGS } from './global-flags.ts';

const EXIT_CODES =
  'Exit codes: 0 success, 1 failure, 2 cancelled, 3 wrong arguments or settings, 4 authentication, 5 network';

/** Help of the program: its nouns with their verbs. */
export function programHelp(commands: readonly Command[], serverCommands: readonly string[]): string {
  const nouns = new Map<string, Command[]>();
  for (const command of commands) {
    const noun = command.path[0] ?? '';
    nouns.set(noun, [...(nouns.get(noun) ?? []), command]);
  }
  const rows = [...nouns].map(([noun, verbs]): [string, string] => {
    const [only] = verbs;
    if (verbs.length === 1 && only?.path.length === 1) return [noun, only.help];
    return [noun, verbs.map(({ path }) => path[1] ?? '<method> <path>').join(', ')];
  });
  const server = serverCommands.length > 0 ? `\nCommands of the server:\n  ${serverCommands.join(', ')}\n` : '';
  return `Usage: spandrel <command> [flags]

Reads and writes the data of a Spandrel server. spandrel <command> --help says more.

First steps:
  spandrel doctor                       is the server there, and does everything work?
  spandrel project list                 names for --project
  spandrel trace list --project <name>  the newest traces; spandrel trace get <id> shows one as a tree

Commands:
${toRows(rows)}
${server}
Flags of all commands:
${toRows([...GLOBAL_FLAGS.map(toRow), ['--version', 'print the version'] as const])}

The address comes from --endpoint, else SPANDREL_ENDPOINT, else the profile, else .env.spandrel, else http://localhost:6006.
Data goes to standard output, everything else to standard error.
${EXIT_CODES},
6 doctor found a problem, 7 a condition of --fail-on holds.`;
}

/** Help of the commands of one noun. */
export function nounHelp(noun: string, commands: readonly Command[]): string {
  const rows = commands.map(({ path, arguments: expected = [], help }): [string, string] => [
    [...path, ...expected.map(({ name, isOptional }) => (isOptional ? `[${name}]` : `<${name}>`))].join(' '),
    help,
  ]);
  return `Usage: spandrel ${noun} <command>\n\n${toRows(rows)}\n\nspandrel ${noun} <command> --help lists its flags.`;
}

/** Help of one command. */
export function commandHelp(command: Command): string {
  const { path, arguments: expected = [], help, fields, notes, examples = [] } = command;
  const flags = flagsOf(command);
  const usage = [...path, ...expected.map(({ name, isOptional }) => (isOptional ? `[${name}]` : `<${name}>`))].join(
    ' ',
  );
  const parts = [`Usage: spandrel ${usage} [flags]\n\n${capitalize(help)}.`];
  if (expected.length > 0) parts.push(`Arguments:\n${toRows(expected.map(({ name, help: text }) => [name, text]))}`);
  if (flags.length > 0) parts.push(`Flags:\n${toRows(flags.map(toRow))}`);
  parts.push(`Flags of all commands:\n${toRows(GLOBAL_FLAGS.map(toRow))}`);
  if (fields) parts.push(`JSON output (--json):\n  ${fields}`);
  if (notes) parts.push(notes);
  if (examples.length > 0) parts.push(`Examples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
  parts.push(`${EXIT_CODES}${command.exitCode ? `, ${command.exitCode}` : ''}.`);
  return parts.join('\n\n');
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function toRow({ name, short, kind, value, help, choices, isRequired, default: fallback }: Flag): [string, string] {
  const shown = `${short ? `-${short}, ` : ''}--${name}${kind === 'switch' ? '' : ` <${value ?? name}>`}`;
  const extras = [
    ...(isRequired ? ['required'] : []),
    ...(kind === 'list' ? ['may be repeated'] : []),
    ...(choices && name !== 'format' ? [choices.join(', ')] : []),
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
  ];
  return [shown, extras.length > 0 ? `${help} (${extras.join('; ')})` : help];
}

const LEFT_WIDTH_MAX = 34;

function toRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(LEFT_WIDTH_MAX, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(([left, right]) =>
      left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
    )
    .join('\n');
}
