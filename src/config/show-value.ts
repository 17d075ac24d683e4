import { maskUrl, postgresUrl } from './postgres-url.ts';
import type { SettingKind } from './setting-kinds.ts';
import type { Setting } from './settings.ts';

/** A value, or the text that should have been one, as it may be shown: of a secret, only a URL without its password. */
export function showValue(setting: Setting<unknown>, value: unknown): string {
  if (value === undefined) return '';
  if (setting.secret) return setting.kind === (postgresUrl as SettingKind<unknown>) ? maskUrl(String(value)) : '***';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
