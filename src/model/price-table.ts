import type { PricedModel } from './generative-model.ts';
import { PRICED_NAME_COUNT_MAX } from './limits.ts';
import { compileNamePattern, type NamePattern } from './name-pattern.ts';

/**
 * Finds the model that prices a span. What it found for a name and provider it remembers, since spans name few models:
 * patterns are searched once for each.
 */
export class PriceTable {
  readonly #models: readonly Candidate[];
  /** By provider and model name: what may price such spans, the best first. */
  readonly #found = new Map<string, readonly PricedModel[]>();

  /** Patterns are checked before they get here; one that is none all the same, by an older rule say, finds nothing. */
  constructor(models: readonly PricedModel[]) {
    this.#models = models.flatMap((model) => {
      try {
        return { model, pattern: compileNamePattern(model.namePattern) };
      } catch {
        return [];
      }
    });
  }

  /**
   * @param provider Empty when the span names none.
   * @param startUnixNano Start of the span: only models whose price holds then are meant.
   */
  find(modelName: string, provider: string, startUnixNano: bigint): PricedModel | undefined {
    const key = `${provider}\0${modelName}`;
    let models = this.#found.get(key);
    if (!models) {
      models = this.#search(modelName, provider.toLowerCase());
      if (this.#found.size >= PRICED_NAME_COUNT_MAX) this.#found.clear();
      this.#found.set(key, models);
    }
    return models.find(({ startTimeMs }) => startTimeMs === null || BigInt(startTimeMs) * 1_000_000n <= startUnixNano);
  }

  #search(modelName: string, provider: string): readonly PricedModel[] {
    return this.#models
      .filter((candidate) => isFor(candidate.model, provider) && candidate.pattern.matches(modelName))
      .sort((a, b) => compareCandidates(a, b, provider))
      .map(({ model }) => model);
  }
}

interface Candidate {
  readonly model: PricedModel;
  readonly pattern: NamePattern;
}

/**
 * A model of somebody's for another provider has another price. A shipped one is better than none, since its name tells
 * whose it is: a vendor's models are sold by others too.
 */
const isFor = (model: PricedModel, provider: string): boolean =>
  model.isBuiltIn || model.provider === '' || provider === '' || model.provider.toLowerCase() === provider;

/** Negative when `a` is to be preferred. */
function compareCandidates(a: Candidate, b: Candidate, provider: string): number {
  return (
    Number(a.model.isBuiltIn) - Number(b.model.isBuiltIn) ||
    providerRank(a.model, provider) - providerRank(b.model, provider) ||
    b.pattern.specificity - a.pattern.specificity ||
    (b.model.startTimeMs ?? -Number.MAX_VALUE) - (a.model.startTimeMs ?? -Number.MAX_VALUE) ||
    (a.model.isBuiltIn ? a.model.rowId - b.model.rowId : b.model.rowId - a.model.rowId)
  );
}

const providerRank = (model: PricedModel, provider: string): number =>
  model.provider === '' ? 1 : model.provider.toLowerCase() === provider ? 0 : 2;
