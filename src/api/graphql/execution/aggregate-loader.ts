import { expectPresent } from '../../../base/expect-present.ts';
import type { AggregateQuery, AggregateRow, Measure, Measures } from '../../../domain/domain.ts';

/** Rows that fields aggregate, without what they measure. */
type Selection = Omit<AggregateQuery, 'measures' | 'groupBy' | 'bins' | 'projects' | 'modelIds'>;

interface Batch {
  readonly selection: Selection;
  /** All requested measures. Quantiles of one value are one measure. */
  readonly measures: Map<string, Measure>;
  readonly waiting: { resolve(row: AggregateRow): void; reject(error: unknown): void }[];
}

/** Combines the aggregates of the same rows that several fields request into one read. */
export class AggregateLoader {
  readonly #read: (query: AggregateQuery) => Promise<AggregateRow>;
  readonly #batches = new Map<string, Batch>();

  constructor(read: (query: AggregateQuery) => Promise<AggregateRow>) {
    this.#read = read;
  }

  async load<Names extends Measures>(selection: Selection, names: Names): Promise<AggregateRow<Names>> {
    const { measures, waiting } = this.#batchOf(selection);
    for (const one of Object.values(names)) {
      const known = measures.get(keyOf(one));
      measures.set(keyOf(one), known ? combine(known, one) : one);
    }
    const row = await new Promise<AggregateRow>((resolve, reject) => waiting.push({ resolve, reject }));
    const results = Object.entries(names).map(([name, one]) => {
      const combined = expectPresent(measures.get(keyOf(one)), 'each requested measure is in the batch');
      return [name, resultOf(one, combined, row[keyOf(one)])] as const;
    });
    return Object.fromEntries(results) as AggregateRow<Names>;
  }

  #batchOf(selection: Selection): Batch {
    const { grain, projectId, startTimeUnixNano, endTimeUnixNano, ofMatchingSpans, filter, sessionFilter } = selection;
    const range = `${startTimeUnixNano} ${endTimeUnixNano} ${ofMatchingSpans}`;
    const key = `${grain} ${projectId} ${range} ${filter?.text ?? ''}\0${sessionFilter?.text ?? ''}`;
    const known = this.#batches.get(key);
    if (known) return known;
    const batch: Batch = { selection, measures: new Map(), waiting: [] };
    this.#batches.set(key, batch);
    setImmediate(() => this.#flush(key, batch));
    return batch;
  }

  async #flush(key: string, { selection, measures, waiting }: Batch): Promise<void> {
    this.#batches.delete(key);
    try {
      const row = await this.#read({ ...selection, measures: Object.fromEntries(measures) });
      for (const { resolve } of waiting) resolve(row);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

const keyOf = (one: Measure): string => (one.by === 'rows' ? one.by : `${one.by} ${one.of}`);

function combine(known: Measure, added: Measure): Measure {
  if (known.by !== 'quantiles' || added.by !== 'quantiles') return known;
  return { ...known, probabilities: [...new Set([...known.probabilities, ...added.probabilities])] };
}

/** The requested quantiles from those of the combined measure, and other results as they are. */
function resultOf(one: Measure, combined: Measure, result: AggregateRow[string] | undefined) {
  if (one.by !== 'quantiles' || combined.by !== 'quantiles' || !Array.isArray(result)) return result;
  return one.probabilities.map((probability) => result[combined.probabilities.indexOf(probability)]);
}
