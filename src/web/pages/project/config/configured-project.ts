import type { ProjectConfigData } from './generated/config.ts';

export type ConfiguredProject = Extract<ProjectConfigData['node'], { readonly __typename: 'Project' }>;
