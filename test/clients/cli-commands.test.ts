import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { cleanUpAfter, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { PACKAGE } from './cli-program.ts';

const NOTE = '<> text* identifier';
const ANNOTATION = '<> name* label score explanation annotator-kind=HUMAN identifier';
const ANNOTATIONS = 'all start-time end-time name identifier annotator-kind yes/y project';
const INCLUDED = 'include-annotations include-notes';
const CONFIG = 'description optimization-direction lower-bound upper-bound threshold value… values';
const RANGE = 'last-n-minutes since until';
const DELETION = '<> yes/y';

/**
 * Commands of the public command line client 1.16 with their arguments and flags: `<>` an argument, `[]` an optional one, `/n` a short
 * form, `…` may be repeated, `*` required, `=` its default. Those without a counterpart are in `LISTED`.
 */
const EXPECTED: Readonly<Record<string, string>> = {
  'project list': 'limit name-contains',
  'project get': '<> limit',
  'project delete': DELETION,
  'trace list': `[] limit/n=10 ${RANGE} max-concurrent project ${INCLUDED}`,
  'trace get': `<> file project ${INCLUDED}`,
  'trace annotate': ANNOTATION,
  'span annotate': ANNOTATION,
  'session annotate': ANNOTATION,
  'trace add-note': NOTE,
  'span add-note': NOTE,
  'session add-note': NOTE,
  'trace delete': DELETION,
  'span delete': DELETION,
  'session delete': DELETION,
  'trace-annotations delete': ANNOTATIONS,
  'span-annotations delete': ANNOTATIONS,
  'session-annotations delete': ANNOTATIONS,
  'span list': `[] limit/n=100 ${RANGE} span-kind… status-code… name… trace-id… span-id… parent-id attribute… project ${INCLUDED}`,
  'session list': `limit/n=10 order=desc project ${INCLUDED}`,
  'session get': `<> file ${INCLUDED}`,
  'dataset list': 'limit',
  'dataset get': '<> split… version file',
  'dataset delete': DELETION,
  'experiment list': '[] dataset* limit',
  'experiment get': '<> file',
  'experiment delete': DELETION,
  'prompt list': 'limit',
  'prompt get': '<> tag version',
  'prompt delete': DELETION,
  'annotation-config list': '',
  'annotation-config get': '<>',
  'annotation-config create': `type* name* ${CONFIG}`,
  'annotation-config update': `<> ${CONFIG}`,
  'annotation-config delete': DELETION,
  'api graphql': '<> curl show-token',
  'auth status': 'profile',
  'auth login': 'profile no-browser no-input',
  'auth logout': '',
  'profile list': '',
  'profile show': '[]',
  'profile create': '<> endpoint project api-key header… activate',
  'profile edit': '<>',
  'profile use': '<>',
  'profile delete': '<>',
};
const COMMON = 'endpoint api-key format no-progress';
/** Of the public client and absent here, each with its reason in docs/commands.md. */
const LISTED = ['names `px`, `phoenix-cli`', '`setup`, `setup instrument`', '`docs fetch`', '`self update`', '`pxi`'];
const EXIT_CODES = { ok: 0, failure: 1, cancelled: 2, usage: 3, authentication: 4, network: 5, notVerified: 6 };

interface TableFlag {
  readonly name: string;
  readonly kind: string;
  readonly short?: string;
  readonly isRequired?: boolean;
  readonly default?: string;
  readonly value?: string;
  readonly help: string;
}
interface TableCommand {
  readonly path: readonly string[];
  readonly arguments?: readonly { readonly isOptional?: boolean }[];
  readonly examples?: readonly string[];
}
interface Table {
  readonly COMMANDS: readonly TableCommand[];
  readonly GLOBAL_FLAGS: readonly TableFlag[];
  readonly EXIT: Readonly<Record<string, number>>;
  flagsOf(command: object): readonly TableFlag[];
  findCommand(words: readonly string[]): { readonly command: TableCommand } | undefined;
  programHelp(commands: Table['COMMANDS'], serverCommands: readonly string[]): string;
  commandHelp(command: TableCommand): string;
}

/** A flag in the notation of the table, with what the table states of it. */
function toNotation({ name, kind, short, isRequired, default: fallback }: TableFlag, expected: string): string {
  const repeated = kind === 'list' ? '…' : '';
  const value = fallback === undefined ? '' : `=${fallback}`;
  return `${name}${expected.includes('/') ? `/${short}` : ''}${repeated}${isRequired ? '*' : ''}${value}`;
}

const nameOf = (expected: string): string => /^[a-z-]+/.exec(expected)?.[0] ?? expected;

const table = temporaryDirectory(cleanUpAfter(after)).then(loadTable);

test('has the commands, arguments, flags and exit codes of the public command line client', async (t) => {
  const { COMMANDS, GLOBAL_FLAGS, EXIT, flagsOf, findCommand, programHelp, commandHelp } = await table;
  const common = GLOBAL_FLAGS.map(({ name }) => name);
  assert.deepEqual(
    COMMON.split(' ').filter((name) => !common.includes(name)),
    [],
  );
  for (const [words, row] of Object.entries(EXPECTED)) {
    const [noun = '', verb = ''] = words.split(' ');
    const command = COMMANDS.find(({ path }) => path.join(' ') === words);
    assert.ok(command, words);
    const other = noun.endsWith('s') ? noun.slice(0, -1) : `${noun}s`;
    for (const name of [noun, other]) assert.equal(findCommand([name, verb])?.command, command, `${name} ${verb}`);
    const flags = [...flagsOf(command), ...GLOBAL_FLAGS];
    const parts = row.split(' ').filter(Boolean);
    assert.deepEqual(
      (command.arguments ?? []).map(({ isOptional }) => (isOptional ? '[]' : '<>')),
      parts.filter((part) => /^\W/.test(part)),
      words,
    );
    for (const part of parts.filter((one) => /^\w/.test(one))) {
      const flag = flags.find(({ name }) => name === nameOf(part));
      assert.ok(flag, `${words}: --${nameOf(part)}`);
      assert.equal(toNotation(flag, part), part, words);
    }
    const more = flagsOf(command).filter(({ name }) => !parts.some((part) => nameOf(part) === name));
    assert.deepEqual(
      more.filter(({ isRequired }) => isRequired),
      [],
      `${words} demands more`,
    );
    for (const { name } of flagsOf(command)) assert.match(commandHelp(command), new RegExp(`--${name}\\b`), words);
  }
  assert.deepEqual({ ...EXIT, ...EXIT_CODES }, EXIT);
  const help = programHelp(COMMANDS, []).split('Exit codes:')[1] ?? '';
  assert.deepEqual(
    [...help.matchAll(/\b(\d) [a-z]/g)].map(([, code]) => Number(code)),
    Object.values(EXIT),
  );
  const listed = readFileSync(join(PACKAGE, 'docs/commands.md'), 'utf8');
  for (const name of LISTED) assert.match(listed, new RegExp(`^\\| ${name}.* \\| no \\| \\S`, 'm'));
  t.diagnostic(`${COMMANDS.length} commands`);
});

test('the help of each command describes its JSON, its flags, and its exit codes', async () => {
  const { COMMANDS, flagsOf, commandHelp } = await table;
  for (const command of COMMANDS) {
    const name = command.path.join(' ');
    const help = commandHelp(command);
    assert.match(help, /^Exit codes: 0 success, 1 failure, .*\.$/m, name);
    // These print a file, a script or messages of a protocol.
    if (!['export', 'mcp', 'completion'].includes(name)) assert.match(help, /^JSON output \(--json\):\n {2}\S/m, name);
    for (const flag of flagsOf(command)) {
      assert.doesNotMatch(flag.help, /\.$|^[A-Z][a-z]|the same$/, `${name} --${flag.name}`);
      assert.equal(flag.value === undefined, flag.kind === 'switch', `${name} --${flag.name}`);
      if (flag.default !== undefined) assert.match(help, new RegExp(`default ${flag.default}`), name);
    }
    for (const example of command.examples ?? []) assert.match(example, new RegExp(`^spandrel ${name}\\b`), name);
  }
  const find = (noun: string) => COMMANDS.find(({ path }) => path.join(' ') === noun)!;
  assert.match(commandHelp(find('doctor')), /6 something does not work\.$/);
  assert.match(commandHelp(find('experiment compare')), /7 a condition of --fail-on holds\.$/);
});

/** The table as the program has it, without the code of its commands. */
async function loadTable(folder: string): Promise<Table> {
  const entry = '\0table';
  const source = ['commands/table.ts', 'command-line/global-flags.ts', 'command-line/help.ts', 'exit-codes.ts'].map(
    (path) => `export * from ${JSON.stringify(join(PACKAGE, 'src', path))};`,
  );
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    logLevel: 'silent',
    external: [/actions\//],
    plugins: [
      {
        name: 'table',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? source.join('\n') : null),
      },
    ],
  });
  const file = join(folder, 'table.mjs');
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  return (await import(pathToFileURL(file).href)) as Table;
}
