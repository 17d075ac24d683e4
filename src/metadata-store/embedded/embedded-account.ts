import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The system user of the embedded Postgres. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Account that runs Postgres when this process is root, because Postgres does not run as root: the owner of the data,
 * else `postgres`, else `nobody`. Undefined when this process is not root, and Postgres then runs as the same user.
 */
export function chooseAccount(
  dataOwnerUid: number | undefined,
  ownUid: number | undefined = process.getuid?.(),
): Account | undefined {
  if (ownUid !== 0) return undefined;
  const accounts = readAccounts();
  const owner = dataOwnerUid && (accounts.find(({ uid }) => uid === dataOwnerUid) ?? numbered(dataOwnerUid));
  const named = (name: string) => accounts.find((account) => account.name === name && account.uid > 0);
  return owner || (named('postgres') ?? named('nobody') ?? numbered(65_534));
}

const numbered = (uid: number): Account => ({ name: String(uid), uid, gid: uid });

/** How `spawn` runs a process as this account. */
export const runAs = (account: Account | undefined): { uid?: number; gid?: number } =>
  account ? { uid: account.uid, gid: account.gid } : {};

/** Whether the modes of a directory and its parents let an account enter it. */
export async function canEnter(account: Account | undefined, directory: string): Promise<boolean> {
  if (!account) return true;
  for (let path = directory; ; path = dirname(path)) {
    const { uid, gid, mode } = await stat(path);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function readAccounts(): Account[] {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
