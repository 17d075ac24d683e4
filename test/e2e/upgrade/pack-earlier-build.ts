/**
 * Makes the data directory of an earlier build, for `upgrade.test.ts`:
 *
 *     node dist/test/e2e/upgrade/pack-earlier-build.js <main.js of that build> test/fixtures/data-directories/<commit>.tar.br
 *
 * The build is killed at the end, so that part of the acknowledged data is only in its journal.
 */
import { makeDataDir, removeDataDir, startServer } from '../server-process.ts';
import { packDataDirectory } from './data-directory-archive.ts';
import { writeEarlierData } from './earlier-data.ts';

const [mainPath, file] = process.argv.slice(2);
if (mainPath === undefined || file === undefined)
  throw new Error('Expected the path of main.js and of the file to write');
const dataDir = await makeDataDir({ isEmpty: true });
const server = await startServer({ dataDir, mainPath });
await writeEarlierData(server.url);
await server.kill9();
await packDataDirectory(dataDir, file);
await removeDataDir(dataDir);
