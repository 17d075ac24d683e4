import { parseArgs } from 'node:util';
import { type Arguments, type Command, type Flag, UsageError } from './command.ts';
import { flagsOf, GLOBAL_FLAGS } from './global-flags.ts';
import { findNearest } from './nearest.ts';

/** Arguments of a command line: more are an error. */
const ARGUMENT_COUNT_MAX = 10_000;

/**
 * Reads what follows the words of a command.
 *
 * @throws {UsageError} for an unknown flag, a missing or wrong value, and missing or extra arguments
 */
export function parseArguments(command: Command, words: readonly string[]): Arguments {
  if (words.length > ARGUMENT_COUNT_MAX) throw new UsageError(`More than ${ARGUMENT_COUNT_MAX} arguments.`);
  const flags = [...flagsOf(command), ...GLOBAL_FLAGS];
  const { tokens } = parseArgs({ args: [...words], strict: false, tokens: true, options: toOptions(flags) });
  const positionals: string[] = [];
  const values = new Map<string, string | readonly string[] | true>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = flags.find(({ name }) => name === token.name);
    if (!flag) throw unknownFlag(token.rawName, flags, command);
    const value = readValue(flag, token.value, token.inlineValue === true);
    if (flag.kind !== 'list') values.set(flag.name, value);
    else values.set(flag.name, [...((values.get(flag.name) as readonly string[] | undefined) ?? []), String(value)]);
  }
  for (const { name, default: fallback } of flags) {
    if (fallback !== undefined && !values.has(name)) values.set(name, fallback);
  }
  if (!values.has('help')) check(command, positionals, values);
  return { positionals, values };
}

const toOptions = (flags: readonly Flag[]) =>
  Object.fromEntries(
    flags.map(({ name, short, kind }) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  );

function unknownFlag(written: string, flags: readonly Flag[], command: Command): UsageError {
  const near = findNearest(
    written,
    flags.map(({ name }) => `--${name}`),
  );
  const hint = near ? `Did you mean ${near}?` : `spandrel ${command.path.join(' ')} --help lists the flags.`;
  return new UsageError(`Unknown flag ${written}. ${hint}`);
}

function readValue(flag: Flag, value: string | undefined, isInline: boolean): string | true {
  if (flag.kind === 'switch') {
    if (value !== undefined) throw new UsageError(`--${flag.name} takes no value.`);
    return true;
  }
  const shown = `--${flag.name} <${flag.value ?? flag.name}>`;
  if (value === undefined || (!isInline && value.startsWith('--'))) {
    throw new UsageError(`${shown} needs a value${value ? `; write --${flag.name}=${value} if it begins so` : ''}.`);
  }
  if (flag.kind === 'count' && !/^[1-9]\d{0,8}$/.test(value)) {
    throw new UsageError(`${shown} must be an integer from 1 to 999999999, received "${value}".`);
  }
  if (flag.kind === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) {
    throw new UsageError(`${shown} must be a number, received "${value}".`);
  }
  if (flag.choices && !flag.choices.includes(value)) {
    throw new UsageError(`${shown} must be one of ${flag.choices.join(', ')}, received "${value}".`);
  }
  return value;
}

function check(command: Command, positionals: readonly string[], values: Arguments['values']): void {
  const expected = command.arguments ?? [];
  const call = `spandrel ${[...command.path, ...expected.map(({ name }) => `<${name}>`)].join(' ')}`;
  const missing = expected.find(({ isOptional }, index) => !isOptional && !positionals[index]?.trim());
  if (missing) throw new UsageError(`<${missing.name}> is missing: ${missing.help}. Write ${call}`);
  if (positionals.length > expected.length) {
    const extra = positionals[expected.length] ?? '';
    throw new UsageError(`"${extra.slice(0, 100)}" is one argument too many. Write ${call}`);
  }
  expected.forEach(({ name, choices }, index) => {
    const value = positionals[index];
    if (choices && value !== undefined && !choices.includes(value)) {
      throw new UsageError(`<${name}> must be one of ${choices.join(', ')}, received "${value}".`);
    }
  });
  const required = flagsOf(command).find(({ isRequired, name }) => isRequired && !values.has(name));
  if (required) throw new UsageError(`--${required.name} <${required.value ?? 'value'}> is missing: ${required.help}.`);
}
