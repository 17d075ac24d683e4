import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type Action, CommandError } from '../command-line/command.ts';
import { EXIT } from '../exit-codes.ts';
import { environmentWith } from '../settings/environment.ts';
import { openClient } from '../settings/open-client.ts';

const PROGRAM = 'spandrel-mcp';

/**
 * Runs the program of `@spandrel/mcp` with the server, key and project of this command line. They are passed as variables,
 * because arguments are visible to other users of the machine.
 */
export const runMcp: Action = async ({ settings, isSet, out, signal }) => {
  const { client, key, projectName } = await openClient(settings, {}, (message) => out.note(message));
  const env = environmentWith({
    SPANDREL_ENDPOINT: client.config.baseUrl,
    ...(key !== undefined && { SPANDREL_API_KEY: key }),
    ...(projectName !== undefined && { SPANDREL_PROJECT: projectName }),
  });
  const child = spawn(PROGRAM, isSet('allow-writes') ? ['--allow-writes'] : [], { stdio: 'inherit', env });
  // The program may still answer calls, and the signal of an assistant that ends it reaches only this process.
  signal.addEventListener('abort', () => child.kill(), { once: true });
  return new Promise<number>((resolve, reject) => {
    child.once('error', () =>
      reject(
        new CommandError(
          `The program ${PROGRAM} is not on the PATH. Install the package @spandrel/mcp globally.`,
          EXIT.failure,
        ),
      ),
    );
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
};
