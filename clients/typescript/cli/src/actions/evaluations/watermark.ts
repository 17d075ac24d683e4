import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { UsageError } from '../../command-line/command.ts';

/** Spans arrive late: those that began this time before the newest one are looked at again, and left out when they are annotated. */
const OVERLAP_MS = 3_600_000;

const pathOf = (file: string): string => `${file}.state.json`;

/** The time from which spans are new; undefined for the first run. */
export function readWatermark(file: string): Date | undefined {
  let text: string;
  try {
    text = readFileSync(pathOf(file), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${pathOf(file)} cannot be read: ${String(error)}`);
  }
  try {
    const { newestStartTimeMs } = JSON.parse(text) as { newestStartTimeMs: number };
    return new Date(new Date(newestStartTimeMs - OVERLAP_MS).toISOString());
  } catch {
    throw new UsageError(`${pathOf(file)} is damaged. Delete it; spans that are annotated are left out anyway.`);
  }
}

/** The file of this name is complete: a run that is killed leaves the former one. */
export function writeWatermark(file: string, newestStartTimeMs: number): void {
  const path = pathOf(file);
  writeFileSync(`${path}.part`, `${JSON.stringify({ newestStartTimeMs })}\n`);
  renameSync(`${path}.part`, path);
}
