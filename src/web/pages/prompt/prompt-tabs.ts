import { type LazyComponent, lazy } from '../../components/lazy.tsx';
import type { PromptTabProps } from './prompt-head.ts';

interface PromptTabEntry {
  /** Segment of the address. */
  readonly id: string;
  readonly label: string;
  readonly Tab: LazyComponent<PromptTabProps>;
}

/** Tabs of a prompt. The first one is the default and has no segment. */
export const TABS: readonly [PromptTabEntry, ...PromptTabEntry[]] = [
  { id: '', label: 'Prompt', Tab: lazy(async () => (await import('./version/LatestTab.tsx')).LatestTab) },
  {
    id: 'versions',
    label: 'Versions',
    Tab: lazy(async () => (await import('./versions/VersionsTab.tsx')).VersionsTab),
  },
  {
    id: 'production',
    label: 'Production',
    Tab: lazy(async () => (await import('./production/ProductionTab.tsx')).ProductionTab),
  },
  { id: 'config', label: 'Config', Tab: lazy(async () => (await import('./config/ConfigTab.tsx')).ConfigTab) },
];
