import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './repository.ts';

test('scripts/list-strings.mjs lists texts of the interface, log messages and errors, but no names', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'strings-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const web = join(dir, 'src/web');
  mkdirSync(web, { recursive: true });
  writeFileSync(
    join(web, 'Page.tsx'),
    `import { a } from './some other file.ts';
export const Page = ({ count }) => (
  <p className="wide muted" aria-label="Close">
    Delete {count} traces?
    {count > 1 ? 'All of them' : 'The last one'}
  </p>
);
`,
  );
  writeFileSync(
    join(dir, 'open.ts'),
    `log.warn({ err }, 'Retrying');
throw new SpandrelError('NAME_TAKEN', \`A project named \${name} exists.\`);
query(\`SELECT row_id FROM spans WHERE name = 'a b'\`);
`,
  );

  const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/list-strings.mjs'), dir], {
    encoding: 'utf8',
  });

  assert.equal(stderr, '');
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.slice(line.lastIndexOf('/') + 1).split('\t')),
    [
      ['open.ts:1', 'log', 'Retrying'],
      ['open.ts:2', 'error', 'A project named {…} exists.'],
      ['Page.tsx:3', 'ui', 'Close'],
      ['Page.tsx:3', 'ui', 'Delete {…} traces? {…}'],
      ['Page.tsx:5', 'ui', 'All of them'],
      ['Page.tsx:5', 'ui', 'The last one'],
    ],
  );
});
