import type { PromptVersionData } from '../generated/api.ts';
import { ArgumentError } from '../http/errors.ts';
import type { PromptMessage, PromptPart } from './prompt-version.ts';

/** A prompt whose variables have values. */
export interface RenderedPrompt {
  readonly version: PromptVersionData;
  readonly messages: readonly PromptMessage[];
}

/** Invocation parameters by their names, whichever vendor they were stored for. */
export type ParameterMap = Readonly<Record<string, unknown>>;

/** Type and values of the invocation parameters. */
export function readParameters({ invocation_parameters: parameters }: PromptVersionData): {
  readonly type: string;
  readonly values: ParameterMap;
} {
  const values = new Map<string, unknown>(Object.entries(parameters)).get(parameters.type);
  return { type: parameters.type, values: (values ?? {}) as ParameterMap };
}

/** The parameters with these names, renamed: `{ max_output_tokens: 'max_tokens' }`. */
export function pickParameters(values: ParameterMap, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const picked = Object.entries(names).filter(([name]) => Object.hasOwn(values, name) && values[name] != null);
  return Object.fromEntries(picked.map(([name, target]) => [target, values[name]]));
}

export const isOpenAiLike = (type: string): boolean => !['anthropic', 'google', 'aws'].includes(type);

/** The parts of a message; a text is one part. */
export const partsOf = ({ content }: PromptMessage): readonly PromptPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

export type Role = 'user' | 'assistant' | 'system' | 'developer' | 'tool';

/** The role without the names of other vendors. */
export function roleOf({ role }: PromptMessage): Role {
  return role === 'ai' || role === 'model' ? 'assistant' : role;
}

/** The text of a tool's result. */
export const toResultText = (result: unknown): string =>
  typeof result === 'string' ? result : JSON.stringify(result ?? null);

/** Arguments of a call of a tool. Text that is no JSON object is an empty one. */
export function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** Media type and base64 text of a `data:` address. */
export function parseDataUrl(url: string): { readonly mediaType: string; readonly data: string } | undefined {
  const [, mediaType, data] = /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/s.exec(url) ?? [];
  return mediaType && data !== undefined ? { mediaType, data } : undefined;
}

/** @throws {ArgumentError} that says what a vendor's interface has no place for */
export function cannotExpress(vendor: string, what: string): never {
  throw new ArgumentError(`${vendor} has no place for ${what}. Remove it from the prompt, or use another sdk.`);
}
