import type { SpandrelClient } from '../client.ts';
import { ArgumentError } from '../http/errors.ts';

/** A project by ID or name, by ID, or by name. */
export type ProjectSelector =
  | { readonly project: string }
  | { readonly projectId: string }
  | { readonly projectName: string };

/** A selector, or the identifier itself. Absent: the project of the settings. */
export type ProjectArgument = ProjectSelector | string;

/**
 * The part of a path that names a project.
 *
 * @throws {ArgumentError} when there is none, or it has `/`, `?` or `#`, which no project name has
 */
export function toProjectIdentifier(project: ProjectArgument | undefined, { config }: SpandrelClient): string {
  const identifier = project === undefined ? config.projectName : identifierOf(project);
  if (!identifier) {
    throw new ArgumentError('No project. Pass project: { projectName }, or set SPANDREL_PROJECT.');
  }
  if (/[/?#]/.test(identifier)) throw new ArgumentError(`A project has no / ? # in its name, and "${identifier}" has.`);
  return identifier;
}

function identifierOf(project: ProjectArgument): string {
  if (typeof project === 'string') return project;
  const found = ['project', 'projectId', 'projectName'].flatMap((key) => {
    const value = Object.hasOwn(project, key) ? new Map<string, unknown>(Object.entries(project)).get(key) : undefined;
    return typeof value === 'string' && value ? [value] : [];
  });
  if (found.length > 1) throw new ArgumentError('Pass one of project, projectId and projectName.');
  return found[0] ?? '';
}
