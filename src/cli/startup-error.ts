import type { Config } from '../config/config.ts';

/** One line that states the problem and a solution. Errors of this project already state both. */
export function explainStartupError(error: unknown, { paths }: Config): string {
  if (!(error instanceof Error)) return String(error);
  const message = firstLine(error.message);
  const { code, path = paths.dataDir, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `${port ? `port ${port}` : 'a port'} is in use (${message}). ${CHOOSE_PORT}`;
    case 'EADDRNOTAVAIL':
      return `this machine does not have the address to listen on (${message}). Set --host to an address of this machine, or to 0.0.0.0.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `no permission for ${path} (${message}). Grant it to this user, or set SERVICE_WORKING_DIR to a writable directory.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk of ${path} is full (${message}). Free space on it, or set SERVICE_WORKING_DIR to another disk.`;
    default:
      // uWebSockets.js does not report a reason.
      if (/^Cannot listen on/.test(message)) return `${message}. ${CHOOSE_PORT}`;
      return message || error.name;
  }
}

const CHOOSE_PORT = 'Stop the program that uses the port, or choose other ports with --port and --grpc-port.';

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
