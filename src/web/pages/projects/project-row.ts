import type { ProjectListData } from './generated/projects.ts';

/** A project as the list has it. */
export type ProjectRow = ProjectListData['projects']['edges'][number]['node'];
