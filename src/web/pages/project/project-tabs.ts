export const TABS = [
  { id: 'spans', label: 'Spans' },
  { id: 'traces', label: 'Traces' },
  { id: 'sessions', label: 'Sessions' },
  { id: 'metrics', label: 'Metrics' },
] as const;

export type ProjectTab = (typeof TABS)[number]['id'];
