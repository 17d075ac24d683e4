interface TokenSums {
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
}

/** Token counts of a session or a trace. */
export const toTokenUsage = ({ tokensPrompt, tokensCompletion }: TokenSums) => ({
  prompt: tokensPrompt,
  completion: tokensCompletion,
  total: tokensPrompt + tokensCompletion,
});
