import { AppendFile } from './append-file.ts';
import { LineReader } from './line-positions.ts';
import { lockFile } from './run-lock.ts';

/** A file of lines that one run writes and reads. */
export interface LockedFile {
  readonly file: AppendFile;
  readonly reader: LineReader;
  readonly release: () => void;
}

/** @throws {EvaluationError} when it cannot be written, or another process has it */
export async function openLockedFile(path: string): Promise<LockedFile> {
  const release = lockFile(path);
  let file: AppendFile | undefined;
  try {
    file = await AppendFile.open(path);
    return { file, reader: new LineReader(path), release };
  } catch (error) {
    await file?.close();
    release();
    throw error;
  }
}

export async function closeLockedFile({ file, reader, release }: LockedFile): Promise<void> {
  try {
    reader.close();
    await file.close();
  } finally {
    release();
  }
}
