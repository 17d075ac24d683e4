// Runs the benches whose paths are its arguments after a mark, one after the other in this process, because most of them spend
// more time on loading than on their tiny size. A line of its output, which begins with the mark, says how each has ended.
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

// Some benches start themselves again with arguments of their own.
const [mark, ...paths] = process.argv.splice(2);
for (const path of paths) {
  let problem = '';
  try {
    await import(pathToFileURL(path).href);
    if (process.exitCode) problem = `its exit code is ${process.exitCode}`;
  } catch (error) {
    problem = inspect(error);
  }
  process.exitCode = 0;
  console.log(`${mark} ${JSON.stringify({ path, problem })}`);
}
