import { lazy } from '../../components/lazy.tsx';
import type { DatasetTab } from './dataset-tabs.ts';

/** Tabs of a dataset. The first one is the default. */
export const TABS: readonly DatasetTab[] = [
  {
    id: 'experiments',
    label: 'Experiments',
    Tab: lazy(async () => (await import('./experiments/ExperimentsTab.tsx')).ExperimentsTab),
  },
  {
    id: 'examples',
    label: 'Examples',
    Tab: lazy(async () => (await import('./examples/ExamplesTab.tsx')).ExamplesTab),
  },
  {
    id: 'evaluators',
    label: 'Evaluators',
    Tab: lazy(async () => (await import('./evaluators/EvaluatorsTab.tsx')).EvaluatorsTab),
  },
  {
    id: 'metrics',
    label: 'Metrics',
    Tab: lazy(async () => (await import('./metrics/MetricsTab.tsx')).MetricsTab),
  },
  {
    id: 'versions',
    label: 'Versions',
    Tab: lazy(async () => (await import('./versions/VersionsTab.tsx')).VersionsTab),
  },
];
