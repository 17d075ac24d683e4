import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT, readText } from './repository.ts';

/** Runs the checker over a tree of these files. */
function check(files: Record<string, string>): { status: number | null; problems: string[]; output: string } {
  const dir = mkdtempSync(join(tmpdir(), 'spandrel-imports-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(dir, dirname(path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    const { status, stderr, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/check-imports.mjs'), dir], {
      encoding: 'utf8',
    });
    return { status, problems: stderr.split('\n').filter(Boolean), output: stdout };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const STORE = { 'src/span-store/contract/a.ts': 'export const a = 1;\n' };

const WRONG: readonly { what: string; files: Record<string, string>; problem: RegExp }[] = [
  {
    what: 'an import upward',
    files: { ...STORE, 'src/semconv/b.ts': "import { a } from '../span-store/contract/a.ts';\n" },
    problem: /^src\/semconv\/b\.ts: src\/semconv must not import from src\/span-store$/,
  },
  {
    what: 'an import of types alone, and over several lines',
    files: { ...STORE, 'src/semconv/b.ts': "import type {\n  a,\n} from '../span-store/contract/a.ts';\n" },
    problem: /must not import from src\/span-store/,
  },
  {
    what: 'an import aside, dynamic',
    files: { ...STORE, 'src/metadata-store/b.ts': "const b = await import('../span-store/contract/a.ts');\n" },
    problem: /src\/metadata-store must not import from src\/span-store/,
  },
  {
    what: 'a worker of another folder',
    files: { ...STORE, 'src/jobs/b.ts': "new Worker(new URL('../span-store/contract/a.js', import.meta.url));\n" },
    problem: /src\/jobs must not import from src\/span-store/,
  },
  {
    what: 'an export from above',
    files: { ...STORE, 'src/base/b.ts': "export { a } from '../span-store/contract/a.ts';\n" },
    problem: /src\/base must not import/,
  },
  {
    what: 'a cycle',
    files: {
      'src/semconv/a.ts': "import './b.ts';\n",
      'src/semconv/b.ts': "import './c.ts';\n",
      'src/semconv/c.ts': "export * from './a.ts';\n",
    },
    problem: /^import cycle: src\/semconv\/a\.ts → src\/semconv\/b\.ts → src\/semconv\/c\.ts → src\/semconv\/a\.ts$/,
  },
  {
    what: 'a dependency beside its door',
    files: { 'src/domain/a.ts': "import { Pool } from 'pg';\n" },
    problem: /only src\/metadata-store imports pg$/,
  },
  {
    what: 'a scope beside its door, by require',
    files: { 'src/domain/a.ts': "createRequire(import.meta.url)('@duckdb/node-api');\n" },
    problem: /only src\/span-store\/duckdb imports @duckdb\/node-api$/,
  },
  {
    what: 'the environment outside of config',
    files: { 'src/jobs/a.ts': "const url = 'http://x'; const port = process.env.PORT;\n" },
    problem: /^src\/jobs\/a\.ts: reads process\.env/,
  },
  {
    what: 'the environment by its import',
    files: { 'src/jobs/a.ts': "import { env as e } from 'node:process';\n" },
    problem: /reads process\.env/,
  },
  {
    what: 'a port in an API layer',
    files: {
      'src/domain/ports.ts': 'export type Ports = object;\n',
      'src/api/rest/a.ts': "import type { Ports } from '../../domain/ports.ts';\n",
    },
    problem: /^src\/api\/rest\/a\.ts: API layers must not import src\/domain\/ports\.ts$/,
  },
  {
    what: 'the type of a repository in an API layer',
    files: {
      'src/domain/projects/project-repository.ts': 'export type ProjectRepository = object;\n',
      'src/api/graphql/projects/a.ts':
        "import type { ProjectRepository } from '../../../domain/projects/project-repository.ts';\n",
    },
    problem: /API layers must not import src\/domain\/projects\/project-repository\.ts$/,
  },
  {
    what: 'a repository that the domain passes on',
    files: {
      'src/metadata-store/rows.ts': 'export type Rows = object;\n',
      'src/domain/a.ts': "export type { Rows } from '../metadata-store/rows.ts';\n",
    },
    problem: /^src\/domain\/a\.ts: the domain must not re-export from src\/metadata-store$/,
  },
  {
    what: 'an import from a part of a folder that is closed to it',
    files: {
      'src/span-store/duckdb/a.ts': 'export const a = 1;\n',
      'src/domain/b.ts': "import { a } from '../span-store/duckdb/a.ts';\n",
    },
    problem: /^src\/domain\/b\.ts: src\/domain must not import from src\/span-store\/duckdb\/a\.ts$/,
  },
  {
    what: 'an import upward inside of an ordered folder',
    files: {
      'src/span-store/read/spans/a.ts': 'export const a = 1;\n',
      'src/span-store/cache/b.ts': "import { a } from '../read/spans/a.ts';\n",
    },
    problem: /^src\/span-store\/cache\/b\.ts: src\/span-store\/cache must not import from read$/,
  },
  {
    what: 'an import upward between nouns',
    files: {
      'src/span-store/read/costs/a.ts': 'export const a = 1;\n',
      'src/span-store/read/rows/b.ts': "import type { a } from '../costs/a.ts';\n",
    },
    problem: /^src\/span-store\/read\/rows\/b\.ts: src\/span-store\/read\/rows must not import from costs$/,
  },
  {
    what: 'an entry of an ordered folder that has no place in its order',
    files: { 'src/span-store/extra/a.ts': '' },
    problem: /^src\/span-store\/extra\/a\.ts: the order of src\/span-store in scripts\/check-imports\.mjs lacks extra$/,
  },
  { what: 'a folder without a row', files: { 'src/utils/a.ts': '' }, problem: /^src\/utils\/a\.ts: its folder is not/ },
];

describe('scripts/check-imports.mjs', () => {
  for (const { what, files, problem } of WRONG) {
    test(`finds ${what}`, () => {
      const { status, problems } = check(files);

      assert.equal(status, 1);
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', problem);
    });
  }

  test('accepts the imports of the table, and ignores comments and texts', () => {
    const { status, problems } = check({
      ...STORE,
      'src/compose.ts': "import { a } from './span-store/contract/a.ts';\nimport { b } from './ingest/journal/b.ts';\n",
      'src/config/a.ts': 'export const env = process.env;\n',
      'src/ingest/journal/b.ts':
        "import { a } from '../../span-store/contract/a.ts';\nimport { crc } from '../../../native-bindings/crc.ts';\n" +
        "// import { x } from '../../server/x.ts'; process.env\n/* import 'pg'; */\n" +
        "export const b = `\nimport { Pool } from 'pg';\n`;\n",
      'native-bindings/crc.ts': 'export const crc = 1;\n',
    });

    assert.deepEqual(problems, []);
    assert.equal(status, 0);
  });

  test('warns about a folder with more than 25 files, and does not fail', () => {
    const folderOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/semconv/a${index}.ts`, '']));

    const large = check(folderOf(26));
    const small = check(folderOf(25));

    assert.match(large.output, /^warning: src\/semconv has 26 files/m);
    assert.equal(large.status, 0);
    assert.doesNotMatch(small.output, /warning/);
  });

  test('warns of no folder of this repository', () => {
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/check-imports.mjs')], { encoding: 'utf8' });

    assert.match(stdout, /^\d+ files, all imports as the table says$/m);
    assert.doesNotMatch(stdout, /warning/);
  });

  test('has the folders of the table in ARCHITECTURE.md, in the same order', () => {
    const checked = [...readText('scripts/check-imports.mjs').matchAll(/^ {2}'src\/([\w/-]+)': \[/gm)].map(
      ([, name]) => name,
    );
    const shown = [...readText('ARCHITECTURE.md').matchAll(/^\| `([\w/-]+)\/` \|/gm)].map(([, name]) => name);

    assert.ok(checked.length > 20);
    assert.deepEqual(shown, checked);
  });
});
