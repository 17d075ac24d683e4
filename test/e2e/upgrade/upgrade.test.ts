import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDataDir, removeDataDir, startServer } from '../server-process.ts';
import { unpackDataDirectory } from './data-directory-archive.ts';
import { checkEarlierData } from './earlier-data.ts';

const ARCHIVES = fileURLToPath(new URL('../../../../test/fixtures/data-directories/', import.meta.url));

describe('the data of an earlier build', () => {
  const names = readdirSync(ARCHIVES).filter((name) => name.endsWith('.tar.br'));
  assert.ok(names.length >= 2);

  for (const name of names) {
    test(`is complete after an upgrade from ${name.replace('.tar.br', '')}, also at the second start`, async (t) => {
      const dataDir = await makeDataDir({ isEmpty: true });
      t.after(() => removeDataDir(dataDir));
      await unpackDataDirectory(ARCHIVES + name, dataDir);

      for (let start = 0; start < 2; start++) {
        const server = await startServer({ dataDir });
        t.after(() => server.kill9());
        await checkEarlierData(server.url);
        assert.deepEqual(await server.stop(), { code: 0, signal: null });
        assert.doesNotMatch(server.output(), /"level":"(error|fatal)"/);
      }
    });
  }
});
