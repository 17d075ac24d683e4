import { PROJECT_NAME_BYTES_MAX } from './limits.ts';

/** A project: the container of telemetry. */
export interface Project {
  readonly rowId: number;
  readonly name: string;
  readonly description: string | null;
  /** Colours that a client paints the project with, as CSS writes them. */
  readonly gradientStartColor: string;
  readonly gradientEndColor: string;
  /** The policy of its own, or the default one. */
  readonly retentionPolicyRowId: number;
  readonly createdAt: Date;
  /** Of the name, description or colours; spans change no project. */
  readonly updatedAt: Date;
}

/** What people may change of a project; absent fields stay as they are, or as a new project has them. */
export interface ProjectChanges {
  readonly description?: string | null | undefined;
  readonly gradientStartColor?: string | undefined;
  readonly gradientEndColor?: string | undefined;
}

export interface NewProject extends ProjectChanges {
  readonly name: string;
}

/** The project that spans go to when their sender names none; it cannot be deleted. */
export const DEFAULT_PROJECT_NAME = 'default';

/**
 * Why nobody can make a project of this name; undefined when one can. Telemetry may bring any name: see `toStoredName`
 * of the metadata store.
 */
export function projectNameProblem(name: string): string | undefined {
  if (name === '') return 'a project name must not be empty';
  if (name.includes('\0')) return 'a project name must not contain the character U+0000';
  if (Buffer.byteLength(name) > PROJECT_NAME_BYTES_MAX) {
    return `a project name must have at most ${PROJECT_NAME_BYTES_MAX} bytes of UTF-8`;
  }
  return undefined;
}
