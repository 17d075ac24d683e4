import type { ProjectChanges } from '../../model/projects/project.ts';

/**
 * The public contracts differ. GraphQL trims texts, and a blank description clears it (`trimmed`). REST stores texts as they
 * are (`asSent`), because its clients read a project by the name that they sent.
 */
export type ProjectTexts = 'trimmed' | 'asSent';

/** A blank color keeps the former one. */
export function toChanges(
  { description, gradientStartColor, gradientEndColor }: ProjectChanges,
  texts: ProjectTexts,
): ProjectChanges {
  const colors = {
    gradientStartColor: gradientStartColor?.trim() || undefined,
    gradientEndColor: gradientEndColor?.trim() || undefined,
  };
  if (description === undefined || texts === 'asSent') return { description, ...colors };
  return { description: description?.trim() || null, ...colors };
}
