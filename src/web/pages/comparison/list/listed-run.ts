import type { ListedRunsData } from './generated/list.ts';

export type ListedExperiment = Extract<ListedRunsData['experiment'], { readonly __typename: 'Experiment' }>;
export type ListedRun = ListedExperiment['runs']['edges'][number]['node'];
