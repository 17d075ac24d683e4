import { stat } from 'node:fs/promises';
import { readInstallationId } from './installation-id.ts';

/**
 * ID of the server that uses a data directory, for claims in the database. It stays the same after a restart, and differs
 * from those of servers on copies of the directory, which share its installation ID.
 */
export async function readServerId(dataDir: string): Promise<string> {
  const [installationId, { ino, birthtimeMs }] = await Promise.all([readInstallationId(dataDir), stat(dataDir)]);
  return `${installationId}:${ino}:${Math.round(birthtimeMs)}`;
}
