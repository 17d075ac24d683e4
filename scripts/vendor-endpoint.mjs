// The test endpoint of vendors, for screens that show calls of models. The tests must be built.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const ENDPOINT = fileURLToPath(new URL('../dist/test/vendor-endpoint/main.js', import.meta.url));

/**
 * Starts the endpoint, and gets screens that need its address.
 *
 * @returns Entries of the list of screens, and what ends the endpoint.
 */
export async function withVendorEndpoint(screensOf) {
  const port = await freePort();
  const endpoint = spawn(process.execPath, [ENDPOINT, '--port', String(port), '--latency', '250'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => endpoint.kill('SIGTERM');
  try {
    await once(endpoint.stdout, 'data');
    return { screens: await screensOf(`http://127.0.0.1:${port}`), stop };
  } catch (error) {
    stop();
    throw error;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
