import { lockDataDirectory } from '../../../src/ingest/data-directory/data-directory-lock.ts';

// A process that takes the lock of the given directory, prints the result, and holds the lock until it is stopped.
try {
  await lockDataDirectory(process.argv[2]!);
  process.stdout.write('locked\n');
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
setInterval(() => {}, 1000);
