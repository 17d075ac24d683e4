import { PRICED_NAME_COUNT_MAX } from '../limits/models.ts';
import type { PricedModel } from './generative-model.ts';
import { deferNamePattern, type NamePattern } from './name-pattern.ts';

/**
 * Finds the model that prices a span. Results are cached by name and provider, because spans name few models, so each
 * name is matched with the patterns once.
 */
export class PriceTable {
  readonly #models: readonly Candidate[];
  /** Candidate models by provider and model name, the best first. */
  readonly #found = new Map<string, readonly PricedModel[]>();

  /** Patterns have been validated. One that is invalid anyway, for example by an older rule, matches nothing. */
  constructor(models: readonly PricedModel[]) {
    this.#models = models.map((model) => ({ model, pattern: deferNamePattern(model.namePattern) }));
  }

  /**
   * @param provider empty if the span names none
   * @param startUnixNano start of the span; only models whose price is valid then are candidates
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
 * A user's model for another provider has another price, so it does not apply. A built-in model applies even so,
 * because its name identifies the vendor, whose models others sell too.
 */
const isFor = (model: PricedModel, provider: string): boolean =>
  model.isBuiltIn || model.provider === '' || provider === '' || model.provider.toLowerCase() === provider;

/** Negative if `a` is preferred. */
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
