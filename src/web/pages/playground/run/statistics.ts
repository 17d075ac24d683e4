import type { Cell, ListedCell } from './cell.ts';

/** Mean with its 95 % interval. The margin is undefined for fewer than two values. */
export interface Mean {
  readonly value: number;
  readonly margin: number | undefined;
  readonly count: number;
}

/** Two-sided 95 % quantiles of Student's t by degrees of freedom from 1. */
const T95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** Cases in which a variant has a better or worse mean than the pinned one. */
export interface Wins {
  readonly better: number;
  readonly worse: number;
  readonly equal: number;
}

export interface VariantFigures {
  readonly latencyMs: Mean | undefined;
  readonly firstMs: Mean | undefined;
  readonly tokens: Mean | undefined;
  readonly cost: number | undefined;
  readonly doneCount: number;
  readonly errorCount: number;
  readonly scores: ReadonlyMap<string, Mean>;
}

/** Values with their sum, for a mean. */
class Values {
  #count = 0;
  #mean = 0;
  #squares = 0;

  /** Values that are no finite numbers are left out. */
  add(value: number | null | undefined): void {
    if (value === null || value === undefined || !Number.isFinite(value)) return;
    this.#count++;
    const difference = value - this.#mean;
    this.#mean += difference / this.#count;
    this.#squares += difference * (value - this.#mean);
  }

  get mean(): Mean | undefined {
    const count = this.#count;
    if (count === 0) return undefined;
    if (count === 1) return { value: this.#mean, margin: undefined, count };
    const error = Math.sqrt(this.#squares / (count - 1) / count);
    return { value: this.#mean, margin: (T95[count - 2] ?? 1.96) * error, count };
  }
}

/** Figures of a variant, collected from its outputs one by one. */
export class FigureCollector {
  readonly #latencies = new Values();
  readonly #firsts = new Values();
  readonly #tokens = new Values();
  readonly #scores = new Map<string, Values>();
  /** Scores by name and case. */
  readonly #byCase = new Map<string, Map<string, { sum: number; count: number }>>();
  #cost: number | undefined;
  #doneCount = 0;
  #errorCount = 0;

  add([caseId, { status, facts, firstMs, scores, annotations }]: ListedCell): void {
    if (status === 'queued' || status === 'running') return;
    if (facts?.cost != null) this.#cost = (this.#cost ?? 0) + facts.cost;
    if (status === 'error') this.#errorCount++;
    if (status !== 'done') return;
    this.#doneCount++;
    this.#latencies.add(facts?.latencyMs);
    this.#firsts.add(firstMs);
    this.#tokens.add(tokensOf(facts));
    for (const { name, score } of scores)
      if (score !== null && Number.isFinite(score)) this.#addScore(name, caseId, score);
    // An evaluator may have the name of what people annotate, so that both can be compared.
    for (const { name, score } of annotations)
      if (score !== null && Number.isFinite(score)) this.#addScore(`${name} (you)`, caseId, score);
  }

  #addScore(name: string, caseId: string, score: number): void {
    const values = this.#scores.get(name) ?? new Values();
    this.#scores.set(name, values);
    values.add(score);
    const cases = this.#byCase.get(name) ?? new Map<string, { sum: number; count: number }>();
    this.#byCase.set(name, cases);
    const before = cases.get(caseId);
    if (before) {
      before.sum += score;
      before.count++;
    } else cases.set(caseId, { sum: score, count: 1 });
  }

  get figures(): VariantFigures {
    return {
      latencyMs: this.#latencies.mean,
      firstMs: this.#firsts.mean,
      tokens: this.#tokens.mean,
      cost: this.#cost,
      doneCount: this.#doneCount,
      errorCount: this.#errorCount,
      scores: new Map([...this.#scores].flatMap(([name, { mean }]) => (mean ? [[name, mean] as const] : []))),
    };
  }

  /** Compares the means of a score by case with those of another variant. Cases that only one of them has are left out. */
  winsAgainst(pinned: FigureCollector, name: string): Wins {
    const base = pinned.#byCase.get(name);
    let [better, worse, equal] = [0, 0, 0];
    for (const [caseId, own] of this.#byCase.get(name) ?? []) {
      const other = base?.get(caseId);
      if (!other) continue;
      const difference = own.sum / own.count - other.sum / other.count;
      if (difference > 0) better++;
      else if (difference < 0) worse++;
      else equal++;
    }
    return { better, worse, equal };
  }
}

/** Tokens of a call. The server counts zero for a call whose vendor named none. */
export const tokensOf = (facts: Cell['facts']): number | undefined =>
  (facts?.promptTokens ?? 0) + (facts?.completionTokens ?? 0) || undefined;
