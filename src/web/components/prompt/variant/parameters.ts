import type { Json, JsonObject } from '../../../../semconv/read-open-inference.ts';
import type { Family } from './variant.ts';

/** Names of the same parameter at the vendors. */
const SAME: readonly Readonly<Partial<Record<Family, string>>>[] = [
  { openai: 'temperature', anthropic: 'temperature', google: 'temperature', aws: 'temperature' },
  { openai: 'top_p', anthropic: 'top_p', google: 'top_p', aws: 'top_p' },
  { openai: 'max_completion_tokens', anthropic: 'max_tokens', google: 'max_output_tokens', aws: 'max_tokens' },
  { openai: 'max_tokens', anthropic: 'max_tokens', google: 'max_output_tokens', aws: 'max_tokens' },
  { openai: 'stop', anthropic: 'stop_sequences', google: 'stop_sequences', aws: 'stop_sequences' },
  { openai: 'frequency_penalty', google: 'frequency_penalty' },
  { openai: 'presence_penalty', google: 'presence_penalty' },
  { anthropic: 'top_k', google: 'top_k' },
];

/** Parameters under the names of another vendor. Those that it does not have are left out. */
export function convertParameters(parameters: JsonObject, from: Family, to: Family): JsonObject {
  if (from === to) return parameters;
  const converted = new Map<string, Json>();
  const used = new Set<string>();
  for (const names of SAME) {
    const [source, target] = [names[from], names[to]];
    if (source === undefined || target === undefined || converted.has(target) || used.has(source)) continue;
    if (!Object.hasOwn(parameters, source)) continue;
    converted.set(target, parameters[source]!);
    used.add(source);
  }
  return Object.fromEntries(converted);
}
