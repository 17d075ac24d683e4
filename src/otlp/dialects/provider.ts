import { FRAMEWORKS, NAMES_OF_PROVIDER } from '../../semconv/gen-ai.ts';

/**
 * `llm.provider` and `llm.system` by the name that a library sends. A name with a dot that is not known (`openai.chat`,
 * `anthropic.messages`) counts by the part before it, and a framework is no provider. An unknown name is the system.
 */
export function providerOf(sent: string | undefined): { provider?: string | undefined; system?: string | undefined } {
  if (sent === undefined) return {};
  const name = sent.toLowerCase();
  const known = knownAs(name) ?? knownAs(name.split('.')[0] ?? name);
  if (known !== undefined) return { provider: known.provider, system: known.system };
  return FRAMEWORKS.has(name) ? {} : { system: sent };
}

const knownAs = (name: string) => (Object.hasOwn(NAMES_OF_PROVIDER, name) ? NAMES_OF_PROVIDER[name] : undefined);
