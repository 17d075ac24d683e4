import type { ProjectSpansData } from '../generated/project.ts';

type ProjectNode = Extract<ProjectSpansData['node'], { readonly __typename: 'Project' }>;

export type SpanRow = ProjectNode['spans']['edges'][number]['node'];

/** Row of a table of traces: a trace by its root span, or another of its spans below it. */
export type TraceRow = SpanRow & { readonly isChild?: true };
