import { useSyncExternalStore } from 'react';
import type { ModelProvider } from '../variant/variant.ts';

/** Names of the variables that hold the key of a provider, as the server knows them. The first ones are required. */
export const KEY_NAMES: Readonly<Record<ModelProvider, readonly string[]>> = {
  OPENAI: ['OPENAI_API_KEY'],
  AZURE_OPENAI: ['AZURE_OPENAI_API_KEY'],
  ANTHROPIC: ['ANTHROPIC_API_KEY'],
  GOOGLE: ['GEMINI_API_KEY'],
  AWS: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  DEEPSEEK: ['DEEPSEEK_API_KEY'],
  XAI: ['XAI_API_KEY'],
  OLLAMA: [],
  CEREBRAS: ['CEREBRAS_API_KEY'],
  FIREWORKS: ['FIREWORKS_API_KEY'],
  GROQ: ['GROQ_API_KEY'],
  MOONSHOT: ['MOONSHOT_API_KEY'],
  PERPLEXITY: ['PERPLEXITY_API_KEY'],
  TOGETHER: ['TOGETHER_API_KEY'],
};

/** Keys that stay in this browser. They are sent with runs alone, and no server stores them. */
type Credentials = ReadonlyMap<string, string>;

const STORAGE_KEY = 'spandrel.playground.credentials';
const listeners = new Set<() => void>();
let current: Credentials = read();

function read(): Credentials {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    const entries = Object.entries(value ?? {});
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}

window.addEventListener('storage', ({ key }) => {
  if (key !== STORAGE_KEY) return;
  current = read();
  for (const listener of listeners) listener();
});

/** Keeps a key, or removes it if it is empty. */
export function setCredential(name: string, value: string): void {
  const next = new Map(current);
  if (value === '') next.delete(name);
  else next.set(name, value);
  current = next;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(next)));
  } catch {
    // The key then lasts until the user leaves the page.
  }
  for (const listener of listeners) listener();
}

export function useCredentials(): Credentials {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => current,
  );
}

/** The keys of a provider that this browser has, as the input of a run. */
export const credentialsFor = (
  provider: ModelProvider,
): readonly { readonly envVarName: string; readonly value: string }[] =>
  KEY_NAMES[provider].flatMap((envVarName) => {
    const value = current.get(envVarName);
    return value === undefined ? [] : [{ envVarName, value }];
  });
