import { lockDataDirectory } from '../../../src/ingest/data-directory/data-directory-lock.ts';

// A process that takes the lock of the directory it is given, says how that went, and holds it until it is ended.
try {
  await lockDataDirectory(process.argv[2]!);
  process.stdout.write('locked\n');
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
setInterval(() => {}, 1000);
