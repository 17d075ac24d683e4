/** Families of models: those that one vendor has trained on the same data. */
const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ['OpenAI', /\b(gpt|chatgpt|o[134])\b|davinci/],
  ['Anthropic', /claude/],
  ['Google', /gemini|gemma|palm/],
  ['Meta', /llama/],
  ['Mistral', /mistral|mixtral|codestral|magistral/],
  ['Alibaba', /qwen|qwq/],
  ['DeepSeek', /deepseek/],
  ['xAI', /grok/],
  ['Amazon', /\bnova\b|titan/],
  ['Cohere', /command|cohere/],
  ['Microsoft', /\bphi\b/],
];

/**
 * The family of a model by its name, such as `Anthropic` for `us.anthropic.claude-…`. Undefined if it is unknown. A name may have
 * those of two families, such as a model that is distilled from another: the first one in the name counts.
 */
export function familyOf(model: string): string | undefined {
  const text = model.toLowerCase().replace(/[_/:.]/g, '-');
  const found = FAMILIES.flatMap(([family, pattern]) => {
    const index = text.search(pattern);
    return index < 0 ? [] : [{ family, index }];
  });
  return found.sort((a, b) => a.index - b.index)[0]?.family;
}
