import { findNode, type NodeModules } from '../node/index.ts';

/** Names of the file that hands settings to programs of a folder; the first one of a folder wins. */
const NAMES = ['.env.spandrel', '.env.phoenix'];
const BYTES_MAX = 64 * 1024;
/** Folders that are searched upwards from the working directory. */
const DEPTH_MAX = 100;
const LINE = /^\s*(?:export\s+)?((?:SPANDREL|PHOENIX)_[A-Z0-9_]+)\s*=(.*)$/;

export interface HandoffFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Working directory → its file, so that a client per request costs no reads. */
const found = new Map<string, HandoffFile | undefined>();

/**
 * The nearest hand-off file at or above the working directory. It must be a regular file of the current user of at most
 * 64 KiB. Undefined without one, outside of Node, or when `warn` was told why the file is ignored.
 */
export function findHandoffFile(warn: (message: string) => void): HandoffFile | undefined {
  const node = findNode();
  if (!node) return undefined;
  const start = node.process.cwd();
  if (!found.has(start)) found.set(start, search(node, start, warn));
  return found.get(start);
}

function search(node: NodeModules, start: string, warn: (message: string) => void): HandoffFile | undefined {
  let folder = start;
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    for (const name of NAMES) {
      const path = node.path.join(folder, name);
      const stat = node.fs.statSync(path, { throwIfNoEntry: false });
      if (stat?.isFile()) return read(node, path, stat, warn);
    }
    const parent = node.path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return undefined;
}

function read(
  node: NodeModules,
  path: string,
  { uid, size, mode }: { readonly uid: number; readonly size: number; readonly mode: number },
  warn: (message: string) => void,
): HandoffFile | undefined {
  const ownUid = node.process.getuid?.();
  if (ownUid !== undefined && uid !== ownUid) {
    warn(`${path} belongs to another user, so it is ignored.`);
    return undefined;
  }
  if (size > BYTES_MAX) {
    warn(`${path} has ${size} bytes; a file of settings has at most ${BYTES_MAX}, so it is ignored.`);
    return undefined;
  }
  try {
    const values = parseHandoff(node.fs.readFileSync(path, 'utf8'));
    if (ownUid !== undefined && (mode & 0o077) !== 0) warn(`${path} can be read by other users: chmod 600 ${path}`);
    return { path, values };
  } catch (error) {
    warn(`${path} cannot be read, so it is ignored: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Lines `KEY=value`, with `#` comments, an optional `export` and one pair of quotes. Other keys are left out. */
export function parseHandoff(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, key, raw = ''] = LINE.exec(line) ?? [];
    const trimmed = raw.trim();
    const value = /^(["'])(.*)\1$/s.exec(trimmed)?.[2] ?? trimmed;
    if (key && value.trim()) values.set(key, value.trim());
  }
  return values;
}
