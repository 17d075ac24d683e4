import { ownValue } from '../../base/own-value.ts';
import type { Environment } from '../read-settings.ts';

/** Vendors whose variables are `<NAME>_API_KEY` and `<NAME>_BASE_URL`. */
const REGULAR = ['OPENAI', 'DEEPSEEK', 'XAI', 'CEREBRAS', 'FIREWORKS', 'GROQ', 'MOONSHOT', 'PERPLEXITY', 'TOGETHER'];

/** Variables of model vendors. They have no prefix: each vendor's own tools read the same names. */
export const MODEL_VARIABLE_NAMES: readonly string[] = [
  ...REGULAR.flatMap((name) => [`${name}_API_KEY`, `${name}_BASE_URL`]),
  ...['AZURE_OPENAI_API_KEY', 'AZURE_OPENAI_ENDPOINT', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  ...['OLLAMA_BASE_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION'],
];

/** The variables that are set, without surrounding blanks. */
export function readModelVariables(env: Environment): Readonly<Record<string, string>> {
  const set = MODEL_VARIABLE_NAMES.flatMap((name) => {
    const text = ownValue(env, name)?.trim();
    return text ? [[name, text] as const] : [];
  });
  return Object.fromEntries(set);
}
