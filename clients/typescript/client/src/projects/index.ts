export type { ProjectArgument, ProjectSelector } from './project-selector.ts';
export * from './projects.ts';
