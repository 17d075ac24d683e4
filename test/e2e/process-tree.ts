import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of a process and of everything it has started, itself first; empty when it is gone or /proc is absent. */
export function processTree(root: number): number[] {
  const childrenOf = new Map<number, number[]>();
  const known = new Set<number>();
  for (const { pid, parent } of listProcesses()) {
    known.add(pid);
    const children = childrenOf.get(parent);
    if (children) children.push(pid);
    else childrenOf.set(parent, [pid]);
  }
  if (!known.has(root)) return [];
  const tree = [root];
  for (let index = 0; index < tree.length; index++) tree.push(...(childrenOf.get(tree[index] ?? -1) ?? []));
  return tree;
}

/** What a tree of processes uses. `pssBytes` counts a page that several share once, `rssBytes` once each. */
export interface ProcessUse {
  readonly processCount: number;
  readonly pssBytes: number;
  readonly rssBytes: number;
  readonly cpuSeconds: number;
}

/** Jiffies a second as Linux shows them to programs, on every architecture. */
const TICKS_PER_SECOND = 100;

export function measureProcessTree(root: number): ProcessUse {
  const pids = processTree(root);
  const use = { processCount: pids.length, pssBytes: 0, rssBytes: 0, cpuSeconds: 0 };
  for (const pid of pids) {
    const rollup = readProc(pid, 'smaps_rollup');
    use.pssBytes += kibOf(rollup, 'Pss');
    use.rssBytes += kibOf(rollup, 'Rss');
    const fields = statFields(readProc(pid, 'stat'));
    // utime, stime, and those of children that have ended (proc(5), fields 14 to 17).
    use.cpuSeconds += [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / TICKS_PER_SECOND;
  }
  return use;
}

/** Program and arguments, split by NUL; empty when the process is gone. */
export const commandLine = (pid: number): string => readProc(pid, 'cmdline');

function listProcesses(): { pid: number; parent: number }[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statFields(readProc(Number(name), 'stat'))[1] ?? -1) }));
}

/** Fields of /proc/pid/stat from the third on: the second, the command, may hold blanks and brackets. */
const statFields = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

const kibOf = (rollup: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024;

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
