import type { Access } from '../../access/rights.ts';

interface SettingsPart {
  /** Segment of the address. */
  readonly id: string;
  readonly label: string;
  /** Name in the search, where the context of the page is missing. */
  readonly searchLabel?: string;
  /** Right without which the part says why it is closed, and the navigation and the search leave it out. */
  readonly needs?: Access;
}

/** Parts of the settings, in the order of their navigation. `SettingsPage.tsx` has the component of each. */
const SETTINGS_PARTS = [
  { id: '', label: 'General', searchLabel: 'General settings' },
  { id: 'users', label: 'Users', needs: 'strictAdmin' },
  { id: 'api-keys', label: 'API keys', needs: 'strictAdmin' },
  { id: 'apps', label: 'Apps', needs: 'strictAdmin' },
  { id: 'secrets', label: 'Secrets', needs: 'admin' },
  { id: 'providers', label: 'Providers', searchLabel: 'Model providers' },
  { id: 'sandboxes', label: 'Sandboxes' },
  { id: 'models', label: 'Models', searchLabel: 'Models and prices' },
  { id: 'annotations', label: 'Annotations', searchLabel: 'Annotation configs' },
  { id: 'datasets', label: 'Datasets', searchLabel: 'Dataset labels and splits' },
  { id: 'prompts', label: 'Prompts', searchLabel: 'Prompt labels' },
  { id: 'retention', label: 'Retention' },
  { id: 'ingest', label: 'Ingest' },
  { id: 'audit', label: 'Audit', searchLabel: 'Audit log', needs: 'admin' },
  { id: 'about', label: 'Storage' },
] as const satisfies readonly SettingsPart[];

export type SettingsPartId = (typeof SETTINGS_PARTS)[number]['id'];

export const settingsPart = (id: string): (SettingsPart & { readonly id: SettingsPartId }) | undefined =>
  SETTINGS_PARTS.find((part) => part.id === (NAMES_OF_PARTS.get(id) ?? id));

/** Addresses that users try, by the label of a part. */
const NAMES_OF_PARTS: ReadonlyMap<string, SettingsPartId> = new Map([
  ['general', ''],
  ['storage', 'about'],
]);

/** Parts that a caller with these rights may open. */
export const openSettingsParts = (may: (needed: Access) => boolean): readonly SettingsPart[] =>
  SETTINGS_PARTS.filter((part) => !('needs' in part) || may(part.needs));

export const toSettings = (id: string): string => (id === '' ? '/settings' : `/settings/${id}`);
