import { spawn } from 'node:child_process';

/** Opens an http address in the browser. False when no program for it could be started. */
export function openBrowser(url: string): Promise<boolean> {
  // The address is one argument, so no shell reads it. On Windows, `start` is a command of the shell.
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  return new Promise((resolve) => {
    const child = spawn(program ?? '', args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
