import { PROJECT_NAME_BYTES_MAX } from '../limits/datasets.ts';

/** A project: the owner of traces. */
export interface Project {
  readonly rowId: number;
  readonly name: string;
  readonly description: string | null;
  /** Colors of the project in clients, as CSS values. */
  readonly gradientStartColor: string;
  readonly gradientEndColor: string;
  /** Its own policy or the default one. */
  readonly retentionPolicyRowId: number;
  /** Only members and administrators find it while sign-in is on (`project-member.ts`). */
  readonly isPrivate: boolean;
  readonly createdAt: Date;
  /** Time of the last change of name, description or colors. Spans do not change it. */
  readonly updatedAt: Date;
}

/** Editable fields of a project. An absent field keeps its value, or has the default of a new project. */
export interface ProjectChanges {
  readonly description?: string | null | undefined;
  readonly gradientStartColor?: string | undefined;
  readonly gradientEndColor?: string | undefined;
}

export interface NewProject extends ProjectChanges {
  readonly name: string;
  /** Default false. */
  readonly isPrivate?: boolean | undefined;
}

/** The project of spans whose sender names none. It cannot be deleted. */
export const DEFAULT_PROJECT_NAME = 'default';

/**
 * Reason why a user cannot create a project with this name, or undefined. Telemetry may contain any name: see
 * `toStoredName` of the metadata store.
 */
export function projectNameProblem(name: string): string | undefined {
  if (name === '') return 'a project name must not be empty';
  if (name.includes('\0')) return 'a project name must not contain the character U+0000';
  if (Buffer.byteLength(name) > PROJECT_NAME_BYTES_MAX) {
    return `a project name must have at most ${PROJECT_NAME_BYTES_MAX} bytes of UTF-8`;
  }
  return undefined;
}
