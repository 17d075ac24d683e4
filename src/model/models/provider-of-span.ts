import { MODEL_PROVIDERS, type ModelProvider } from '../prompts/prompt-parameters.ts';
import { MODEL_VENDORS } from './model-vendors.ts';

/** Providers by the words that spans and price lists have for them. */
const BY_WORD: ReadonlyMap<string, ModelProvider> = new Map([
  ...MODEL_PROVIDERS.map((key) => [MODEL_VENDORS[key].providerWord, key] as const),
  ['azure_openai', 'AZURE_OPENAI'],
]);

/** Parts of model names, in the order in which they count: vendors that serve models of others come first. */
const BY_NAME: readonly (readonly [RegExp, ModelProvider])[] = [
  [/accounts\/fireworks/, 'FIREWORKS'],
  [/claude/, 'ANTHROPIC'],
  [/gpt|(?:^|[^a-z0-9])o[134](?:$|[^a-z0-9])/, 'OPENAI'],
  [/gemini/, 'GOOGLE'],
  [/deepseek/, 'DEEPSEEK'],
  [/grok/, 'XAI'],
  [/(?:^|[^a-z])nova|titan/, 'AWS'],
  [/moonshot|kimi/, 'MOONSHOT'],
  [/sonar/, 'PERPLEXITY'],
  [/llama|mistral|(?:^|[^a-z])phi|qwen|gemma/, 'OLLAMA'],
];

/** Provider of a word such as the value of `llm.provider`. */
export const providerOfWord = (word: string): ModelProvider | undefined => BY_WORD.get(word.toLowerCase());

/** Provider of a span by its `llm.provider`, else by a part of its model name. */
export function providerOfSpan(word: string, modelName: string): ModelProvider | undefined {
  const name = modelName.toLowerCase();
  return providerOfWord(word) ?? BY_NAME.find(([part]) => part.test(name))?.[1];
}
