import { type CallOptions, clientOf } from '../client.ts';
import { findNode, type NodeModules } from '../node/index.ts';
import type { Logger } from './logger.ts';
import { outboxPath } from './outbox.ts';
import { openRecording } from './recording.ts';
import { WorkSession } from './work-session.ts';

/** An outbox file with results that no server has. */
export interface PendingResults {
  readonly path: string;
  /** Undefined when the name of the file is none of an experiment. */
  readonly experimentId: string | undefined;
  /** Whether the file belongs to the server of the client, so that `sendPendingResults` sends it. */
  readonly isOfServer: boolean;
  readonly runCount: number;
  readonly evaluationCount: number;
  readonly modifiedAt: Date;
}

/** Files that are read at most. */
const FILE_COUNT_MAX = 10_000;

/** Results that earlier processes have left in the outbox, of all servers. Also those of the Python client. */
export async function listPendingResults({ client }: Pick<CallOptions, 'client'> = {}): Promise<PendingResults[]> {
  const node = findNode();
  if (!node) return [];
  const { baseUrl } = clientOf(client).config;
  const folder = node.path.dirname(node.path.dirname(outboxPath(node, { baseUrl, experimentId: 'any' })));
  const found: PendingResults[] = [];
  const names = node.fs.existsSync(folder) ? await node.fs.promises.readdir(folder, { recursive: true }) : [];
  for (const name of names.filter((path) => path.endsWith('.jsonl')).slice(0, FILE_COUNT_MAX)) {
    const path = node.path.join(folder, name);
    const experimentId = toExperimentId(node.path.basename(name, '.jsonl'));
    const isOfServer = path === outboxPath(node, { baseUrl, experimentId });
    const modifiedAt = (await node.fs.promises.stat(path)).mtime;
    const counts = await countPending(node, path);
    const isOfPython = /^[0-9a-f]{12}$/.test(node.path.dirname(name));
    found.push({ path, experimentId: isOfPython ? undefined : experimentId, isOfServer, modifiedAt, ...counts });
  }
  return found;
}

/** IDs of experiments are base64, of which the name of a file has three signs as codes. */
const toExperimentId = (name: string): string =>
  name.replace(/_(2b|2f|3d)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

async function countPending({ fs }: NodeModules, path: string): Promise<{ runCount: number; evaluationCount: number }> {
  const kinds = new Map<number, unknown>();
  const file = await fs.promises.open(path, 'r');
  try {
    for await (const line of file.readLines()) {
      // The Python client writes other names.
      const { id, n, kind, posted, sent } = parse(line);
      for (const number of (posted ?? sent ?? []) as number[]) kinds.delete(number);
      const number = id ?? n;
      if (typeof number === 'number') kinds.set(number, kind);
    }
  } finally {
    await file.close().catch(() => undefined);
  }
  const runCount = [...kinds.values()].filter((kind) => kind === 'run').length;
  return { runCount, evaluationCount: kinds.size - runCount };
}

function parse(line: string): Readonly<Partial<Record<'id' | 'n' | 'kind' | 'posted' | 'sent', unknown>>> {
  try {
    return (JSON.parse(line) ?? {}) as object;
  } catch {
    // Half a line of a process that was killed.
    return {};
  }
}

/**
 * Posts what an earlier process has left in the outbox of an experiment, and runs nothing.
 *
 * @throws {UnsentResultsError} when results could not be posted; they are in the outbox
 */
export async function sendPendingResults({
  experimentId,
  ...options
}: CallOptions & { readonly experimentId: string; readonly logger?: Logger }): Promise<{ readonly sentCount: number }> {
  const session = new WorkSession(options);
  try {
    const recording = await openRecording(session, experimentId);
    await recording.close();
    return { sentCount: recording.sentCount };
  } finally {
    await session.close();
  }
}
