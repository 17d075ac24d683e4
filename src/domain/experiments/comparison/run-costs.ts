import { FOREIGN_TRACE_COUNT_MAX } from '../../../model/limits/comparisons.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { Ports } from '../../ports.ts';
import type { Comparison } from './comparison.ts';
import { readTraceId, TraceIndex } from './trace-index.ts';

/** Tokens and dollars of the trace of each run, for each experiment. NaN: no trace, or no price. */
export interface RunCosts {
  readonly tokens: readonly Float64Array[];
  readonly dollars: readonly Float64Array[];
}

const PICO = 1e12;

/**
 * Reads the costs of all traces in the projects of the experiments at once, and those of other traces by their IDs. Traces of
 * projects that are hidden from the caller are not found.
 */
export async function findRunCosts(
  { spans, experiments }: Pick<Ports, 'spans' | 'experiments'>,
  { columns }: Pick<Comparison, 'columns'>,
  options: ReadOptions,
): Promise<RunCosts> {
  const projects = await experiments.findProjectsOfExperiments(columns.map(({ rowId }) => rowId));
  const costs = await spans.listTraceCosts({ projectIds: [...new Set(projects.values())] }, options);
  const index = new TraceIndex(costs.idWords);
  const words = new Uint32Array(4);
  const foreign: Foreign[] = [];
  const tokens = columns.map(({ runs }) => new Float64Array(runs.count).fill(Number.NaN));
  const dollars = columns.map(({ runs }) => new Float64Array(runs.count).fill(Number.NaN));
  for (const [experiment, { runs }] of columns.entries()) {
    const { traceIds } = runs;
    let from = 0;
    for (let run = 0; run < runs.count; run++) {
      const end = traceIds.indexOf('\n', from);
      const to = end < 0 ? traceIds.length : end;
      if (to > from) {
        const trace = readTraceId(traceIds, from, to, words, 0) ? index.find(words, 0) : -1;
        if (trace >= 0) {
          (tokens[experiment] as Float64Array)[run] = costs.tokens[trace] as number;
          (dollars[experiment] as Float64Array)[run] = (costs.picos[trace] as number) / PICO;
        } else if (foreign.length < FOREIGN_TRACE_COUNT_MAX) {
          foreign.push({ experiment, run, traceId: traceIds.slice(from, to) });
        }
      }
      from = to + 1;
    }
  }
  if (foreign.length > 0) await addForeign({ spans }, foreign, { tokens, dollars }, options);
  return { tokens, dollars };
}

/** A run whose trace is in no project of the compared experiments, or not stored. */
interface Foreign {
  readonly experiment: number;
  readonly run: number;
  readonly traceId: string;
}

async function addForeign(
  { spans }: Pick<Ports, 'spans'>,
  foreign: readonly Foreign[],
  { tokens, dollars }: RunCosts,
  options: ReadOptions,
): Promise<void> {
  const rowIds = await spans.findTraceRowIds([...new Set(foreign.map(({ traceId }) => traceId))], options);
  if (rowIds.size === 0) return;
  const costs = await spans.findCosts({ of: 'traces', rowIds: [...rowIds.values()] }, options);
  for (const { experiment, run, traceId } of foreign) {
    const found = costs.get(rowIds.get(traceId) ?? Number.NaN);
    if (!found) continue;
    const { tokensPrompt, tokensCompletion, promptPico, completionPico } = found;
    (tokens[experiment] as Float64Array)[run] = tokensPrompt + tokensCompletion;
    const pico = (promptPico ?? 0) + (completionPico ?? 0);
    // The sum of a trace without prices is 0.
    if (pico !== 0) (dollars[experiment] as Float64Array)[run] = pico / PICO;
  }
}
