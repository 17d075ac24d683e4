import type { Costs, CostsOfType } from '../../../domain/domain.ts';

/** Costs without a matching price add nothing. The sum is null if no price matched. */
export function sumCosts(list: readonly Costs[]): Costs {
  const total = (values: readonly (number | null)[]): number | null =>
    values.every((value) => value === null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return {
    tokensPrompt: list.reduce((sum, { tokensPrompt }) => sum + tokensPrompt, 0),
    tokensCompletion: list.reduce((sum, { tokensCompletion }) => sum + tokensCompletion, 0),
    promptPico: total(list.map(({ promptPico }) => promptPico)),
    completionPico: total(list.map(({ completionPico }) => completionPico)),
  };
}

/** Sums costs by side and type, in the order of their first occurrence. */
export function sumCostsOfTypes(list: readonly CostsOfType[]): CostsOfType[] {
  const sums = new Map<string, CostsOfType>();
  for (const one of list) {
    const key = `${one.isPrompt} ${one.tokenType}`;
    const sum = sums.get(key);
    const pico = sum === undefined || sum.pico === null ? one.pico : sum.pico + (one.pico ?? 0);
    sums.set(key, { ...one, tokens: (sum?.tokens ?? 0) + one.tokens, pico });
  }
  return [...sums.values()];
}
