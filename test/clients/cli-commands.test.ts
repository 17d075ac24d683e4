import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { cleanUpAfter, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { PACKAGE } from './cli-program.ts';

const NOTE = 'text identifier';
const ANNOTATION = 'name label score explanation annotator-kind identifier';
const ANNOTATIONS = 'all start-time end-time name identifier annotator-kind yes project';
const INCLUDED = 'include-annotations include-notes';
const CONFIG = 'description optimization-direction lower-bound upper-bound threshold value values';

/** Commands of the public command line client 1.16 with their flags. Those without a counterpart are in docs/commands.md. */
const EXPECTED: Readonly<Record<string, string>> = {
  'project list': 'limit name-contains',
  'project get': 'limit',
  'project delete': 'yes',
  'trace list': `limit last-n-minutes since until max-concurrent project ${INCLUDED}`,
  'trace get': `file project ${INCLUDED}`,
  'trace annotate': ANNOTATION,
  'span annotate': ANNOTATION,
  'session annotate': ANNOTATION,
  'trace add-note': NOTE,
  'span add-note': NOTE,
  'session add-note': NOTE,
  'trace delete': 'yes',
  'span delete': 'yes',
  'session delete': 'yes',
  'trace-annotations delete': ANNOTATIONS,
  'span-annotations delete': ANNOTATIONS,
  'session-annotations delete': ANNOTATIONS,
  'span list': `limit last-n-minutes since until span-kind status-code name trace-id span-id parent-id attribute project ${INCLUDED}`,
  'session list': `limit order project ${INCLUDED}`,
  'session get': `file ${INCLUDED}`,
  'dataset list': 'limit',
  'dataset get': 'split version file',
  'dataset delete': 'yes',
  'experiment list': 'dataset limit',
  'experiment get': 'file',
  'experiment delete': 'yes',
  'prompt list': 'limit',
  'prompt get': 'tag version',
  'prompt delete': 'yes',
  'annotation-config list': '',
  'annotation-config get': '',
  'annotation-config create': `type name ${CONFIG}`,
  'annotation-config update': CONFIG,
  'annotation-config delete': 'yes',
  'api graphql': 'curl show-token',
  'auth status': 'profile',
  'auth login': 'profile no-browser no-input',
  'auth logout': '',
  'profile list': '',
  'profile show': '',
  'profile create': 'endpoint project api-key header activate',
  'profile edit': '',
  'profile use': '',
  'profile delete': '',
};
const COMMON = 'endpoint api-key format no-progress';

interface Table {
  readonly COMMANDS: readonly { readonly path: readonly string[] }[];
  readonly GLOBAL_FLAGS: readonly { readonly name: string }[];
  flagsOf(command: object): readonly { readonly name: string }[];
}

test('has the commands and flags of the public command line client', async (t) => {
  const { COMMANDS, GLOBAL_FLAGS, flagsOf } = await loadTable(await temporaryDirectory(cleanUpAfter(after)));
  const common = GLOBAL_FLAGS.map(({ name }) => name);
  assert.deepEqual(
    COMMON.split(' ').filter((name) => !common.includes(name)),
    [],
  );
  for (const [words, flags] of Object.entries(EXPECTED)) {
    const command = COMMANDS.find(({ path }) => path.join(' ') === words);
    assert.ok(command, words);
    const names = new Set([...flagsOf(command).map(({ name }) => name), ...common]);
    assert.deepEqual(
      flags.split(' ').filter((name) => name && !names.has(name)),
      [],
      words,
    );
  }
  t.diagnostic(`${COMMANDS.length} commands`);
});

/** The table as the program has it, without the code of its commands. */
async function loadTable(folder: string): Promise<Table> {
  const entry = '\0table';
  const source = ['commands/table.ts', 'command-line/global-flags.ts'].map(
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
