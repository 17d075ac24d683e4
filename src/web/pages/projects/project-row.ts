import type { ProjectListData } from './generated/projects.ts';

/** A project in the list. */
export type ProjectRow = ProjectListData['projects']['edges'][number]['node'];
