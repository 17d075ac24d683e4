import { maskUrl, postgresUrl } from './postgres-url.ts';
import type { SettingKind } from './setting-kinds.ts';
import type { Setting } from './settings.ts';

/** The value, or the invalid text, in a form that may be shown. Secrets are masked; a URL only hides its passwords. */
export function showValue(setting: Setting<unknown>, value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  if (setting.secret) return setting.kind === (postgresUrl as SettingKind<unknown>) ? maskUrl(String(value)) : '***';
  if (!Array.isArray(value)) return String(value);
  return value.some((item) => typeof item === 'object') ? JSON.stringify(value) : value.join(', ');
}
