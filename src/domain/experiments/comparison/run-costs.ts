import type { ComparedExperiment } from '../../../model/experiment-comparison.ts';
import { FOREIGN_TRACE_COUNT_MAX } from '../../../model/limits/comparisons.ts';
import type { TraceCosts } from '../../../span-store/contract/costs.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import { toRowIds } from '../../../span-store/contract/rows.ts';
import type { Ports } from '../../ports.ts';
import type { Comparison } from './comparison.ts';
import type { ExperimentCosts, ForeignRun } from './run-cost-cache.ts';
import { readTraceId, TraceIndex } from './trace-index.ts';

export type CostPorts = Pick<Ports, 'spans' | 'experiments' | 'projectAccess' | 'runCosts'>;

/** Tokens and dollars of the trace of each run, for each experiment. NaN: no trace, or no price. Callers do not change them. */
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
  ports: CostPorts,
  { columns }: Pick<Comparison, 'columns'>,
  options: ReadOptions,
  started: StartedCosts = startRunCosts(
    ports,
    columns.map(({ rowId }) => rowId),
    options,
  ),
): Promise<RunCosts> {
  const found = await findExperimentCosts(ports, columns, await started.version, started.traces);
  const foreign = found
    .flatMap((costs, experiment) => costs.foreign.map((one) => ({ ...one, experiment })))
    .slice(0, FOREIGN_TRACE_COUNT_MAX);
  if (foreign.length === 0) {
    return { tokens: found.map(({ tokens }) => tokens), dollars: found.map(({ dollars }) => dollars) };
  }
  // The arrays of the cache stay as they are.
  const costs = {
    tokens: found.map(({ tokens }) => tokens.slice()),
    dollars: found.map(({ dollars }) => dollars.slice()),
  };
  await addForeign(ports, foreign, costs, options);
  return costs;
}

/** Costs that are read while the columns of the experiments still are. */
export interface StartedCosts {
  /** Differs after any change of the traces. */
  readonly version: Promise<string>;
  /** The costs of all traces, or the ones that are being read. */
  readonly traces: () => Promise<TraceCosts>;
}

/** Reads the costs of all traces of these experiments, unless those of the runs are probably kept. */
export function startRunCosts(
  { spans, experiments, projectAccess, runCosts }: CostPorts,
  experimentRowIds: readonly number[],
  options: ReadOptions,
): StartedCosts {
  const projectIds = experiments
    .findProjectsOfExperiments(experimentRowIds)
    .then((projects) =>
      [...new Set(projects.values())]
        .filter((projectId) => projectAccess?.canRead(projectId) ?? true)
        .sort((a, b) => a - b),
    );
  // Read before the costs, so that a change while they are read makes them outdated.
  const version = projectIds.then(async (ids) => {
    const changes = await Promise.all(ids.map((projectId) => spans.lastChangedAt(projectId)));
    return ids.map((projectId, index) => `${projectId}:${changes[index] ?? ''}`).join(' ');
  });
  const read = async () => spans.listTraceCosts({ projectIds: await projectIds }, options);
  const reading = version.then((current) =>
    experimentRowIds.every((rowId) => runCosts.isLikely(rowId, current)) ? undefined : read(),
  );
  // The costs are not needed if the experiments cannot be read.
  reading.catch(() => {});
  return { version, traces: async () => (await reading) ?? read() };
}

async function findExperimentCosts(
  { runCosts }: Pick<CostPorts, 'runCosts'>,
  columns: readonly ComparedExperiment[],
  version: string,
  readTraces: StartedCosts['traces'],
): Promise<ExperimentCosts[]> {
  const known = columns.map((experiment) => runCosts.find(experiment, version));
  if (known.every((costs) => costs !== undefined)) return known;
  const costs = await readTraces();
  const index = new TraceIndex(costs.idWords);
  return columns.map((experiment, at) => {
    const fresh = known[at] ?? toExperimentCosts(experiment, costs, index);
    runCosts.set(experiment, version, fresh);
    return fresh;
  });
}

function toExperimentCosts({ runs }: ComparedExperiment, costs: TraceCosts, index: TraceIndex): ExperimentCosts {
  const { traceIds } = runs;
  const tokens = new Float64Array(runs.count).fill(Number.NaN);
  const dollars = new Float64Array(runs.count).fill(Number.NaN);
  const foreign: ForeignRun[] = [];
  const words = new Uint32Array(4);
  let from = 0;
  let expected = -1;
  for (let run = 0; run < runs.count; run++) {
    const end = traceIds.indexOf('\n', from);
    const to = end < 0 ? traceIds.length : end;
    if (to > from) {
      const trace = readTraceId(traceIds, from, to, words, 0) ? index.find(words, 0, expected) : -1;
      if (trace >= 0) {
        expected = trace + 1;
        tokens[run] = costs.tokens[trace] as number;
        dollars[run] = (costs.picos[trace] as number) / PICO;
      } else if (foreign.length < FOREIGN_TRACE_COUNT_MAX) foreign.push({ run, traceId: traceIds.slice(from, to) });
    }
    from = to + 1;
  }
  return { tokens, dollars, foreign };
}

async function addForeign(
  { spans }: Pick<Ports, 'spans'>,
  foreign: readonly (ForeignRun & { readonly experiment: number })[],
  { tokens, dollars }: RunCosts,
  options: ReadOptions,
): Promise<void> {
  const ids = [...new Set(foreign.map(({ traceId }) => traceId))];
  const rowIds = toRowIds(await spans.findByIds({ of: 'traces', ids }, options));
  if (rowIds.size === 0) return;
  const costs = await spans.get({ of: 'traces', column: 'costs', rowIds: [...rowIds.values()] }, options);
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
