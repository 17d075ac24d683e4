/** Code of the operating system → what happened, and what to do. */
const REASONS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) =>
    `There is no file or folder ${path}. Check the path; a folder must exist before a file is written into it.`,
  EACCES: (path) => `${path} cannot be opened: this user has not the right. Change its rights, or choose another path.`,
  EPERM: (path) => `${path} cannot be opened: this user has not the right. Change its rights, or choose another path.`,
  EISDIR: (path) => `${path} is a folder, and a file is expected. Pass the path of a file.`,
  ENOTDIR: (path) => `${path} is no folder, or below something that is none. Check the path.`,
  EEXIST: (path) => `${path} exists, and is no folder. Choose another path.`,
  EROFS: (path) => `${path} cannot be written: its file system is read-only. Choose another path.`,
  ENOSPC: (path) => `The disk of ${path} is full. Free some space, and run the command again.`,
  EDQUOT: (path) =>
    `The quota of this user on the disk of ${path} is used up. Free some space, and run the command again.`,
};

/** One sentence for an error of a file. `path` is used when the error names none. */
export function describeFileError(error: NodeJS.ErrnoException, path = 'the output'): string {
  const known = Object.hasOwn(REASONS, error.code ?? '') ? REASONS[error.code ?? ''] : undefined;
  const place = error.path ?? path;
  return known ? known(place) : `${place} cannot be used: ${error.code ?? error.message}.`;
}

/** Whether an error comes from the file system, so that `describeFileError` knows it. */
export const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && Object.hasOwn(REASONS, (error as NodeJS.ErrnoException).code ?? '');
