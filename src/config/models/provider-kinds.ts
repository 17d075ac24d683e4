import type { SettingKind } from '../setting-kinds.ts';

/** Providers of models that the server knows. */
export const PROVIDER_NAMES = [
  ...['OPENAI', 'AZURE_OPENAI', 'ANTHROPIC', 'GOOGLE', 'DEEPSEEK', 'XAI', 'OLLAMA', 'AWS', 'CEREBRAS', 'FIREWORKS'],
  ...['GROQ', 'MOONSHOT', 'PERPLEXITY', 'TOGETHER'],
] as const;

const SANDBOX_NAMES = ['WASM', 'E2B', 'DAYTONA', 'VERCEL', 'DENO', 'MODAL', 'MONTY'] as const;

/** Names of a list in any case. `NONE` is an empty list. */
const namesOf = (what: string, known: readonly string[]): SettingKind<readonly string[]> => ({
  name: 'comma-separated list',
  parse(text) {
    const names = listItems(text).map((item) => item.toUpperCase());
    if (names.includes('NONE')) return { value: [] };
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined || names.length === 0) {
      return { expected: `NONE, or ${what} of ${known.join(', ')} separated by commas` };
    }
    return { value: [...new Set(names)] };
  },
});

export const providerNames = namesOf('providers', PROVIDER_NAMES);
export const sandboxNames = namesOf('sandboxes', SANDBOX_NAMES);

/** A variable with a key, and the hosts that may receive it. */
export interface KeyHosts {
  readonly name: string;
  readonly hosts: readonly string[];
}

/** `NAME=host host;NAME=host`. */
export const keyHosts: SettingKind<readonly KeyHosts[]> = {
  name: 'NAME=host …;…',
  parse(text) {
    const value: KeyHosts[] = [];
    for (const entry of text.split(';').filter((item) => item.trim() !== '')) {
      const [, name, hosts = ''] = /^\s*([A-Z][A-Z0-9_]*)\s*=(.*)$/.exec(entry) ?? [];
      const names = hosts
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((host) => host !== '');
      const isValid = names.every((host) => /^(\*\.)?([a-z0-9_][a-z0-9_.-]{0,252}|\[[0-9a-f:.]+\])$/.test(host));
      if (name === undefined || names.length === 0 || !isValid) {
        return {
          expected:
            "pairs such as 'OPENAI_API_KEY=gateway.example.com *.internal' divided by ';', hosts without a port",
        };
      }
      value.push({ name, hosts: names });
    }
    return { value };
  },
};

const listItems = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
