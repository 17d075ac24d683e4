import { ownValue } from '../../own-value.ts';

/** The texts of a content, which is a text or a list of parts. */
export function partTexts(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => String(ownValue(part, 'text') ?? '')).join('\n');
}

export const argumentsText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
