interface TokenSums {
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
}

/** Tokens as a session or a trace sums them up. */
export const toTokenUsage = ({ tokensPrompt, tokensCompletion }: TokenSums) => ({
  prompt: tokensPrompt,
  completion: tokensCompletion,
  total: tokensPrompt + tokensCompletion,
});
