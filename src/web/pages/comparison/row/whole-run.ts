import type { ComparedExampleData } from './generated/row.ts';

type Example = Extract<ComparedExampleData['example'], { readonly __typename: 'DatasetExample' }>;
/** A run with its whole output and its scores. */
export type WholeRun = Example['experimentRuns']['edges'][number]['node'];
export type RunAnnotation = WholeRun['annotations']['edges'][number]['node'];
