import type {
  Experiment,
  ExperimentEvaluation,
  ExperimentNote,
  ExperimentSummary,
  ExperimentTag,
  RunOfRevision,
} from '../../../model/experiment.ts';
import type { ExperimentJob, JobLog, JobTask } from '../../../model/experiment-job.ts';
import type { Costs, CostsOfType, Domain, ReadOptions, ReadPersonAnnotation } from '../../../domain/domain.ts';
import { toRowIds } from '../../../domain/domain.ts';
import type { JobProgress } from '../../../domain/experiments/jobs/job-progress.ts';
import type { BatchLoader, NewLoader } from '../execution/batch-loader.ts';
import { sumCosts, sumCostsOfTypes } from './experiment-costs.ts';

/** Keys are row ids of the loader's noun unless stated otherwise. */
export interface ExperimentLoaders {
  readonly experiments: BatchLoader<number, Experiment>;
  readonly jobs: BatchLoader<number, ExperimentJob>;
  /** Newest first. */
  readonly jobIdsOfDatasets: BatchLoader<number, number[]>;
  readonly jobTasks: BatchLoader<number, JobTask>;
  readonly jobProgress: BatchLoader<number, JobProgress>;
  readonly jobLogs: BatchLoader<number, JobLog>;
  readonly lastErrorsOfJobs: BatchLoader<number, number>;
  readonly experimentTags: BatchLoader<number, ExperimentTag>;
  readonly sequenceNumbersOfExperiments: BatchLoader<number, number>;
  readonly projectsOfExperiments: BatchLoader<number, number>;
  readonly splitIdsOfExperiments: BatchLoader<number, number[]>;
  readonly experimentCountsOfDatasets: BatchLoader<number, number>;
  readonly baselinesOfDatasets: BatchLoader<number, number>;
  readonly summariesOfExperiments: BatchLoader<number, ExperimentSummary>;
  readonly tagsOfExperiments: BatchLoader<number, ExperimentTag[]>;
  readonly notesOfExperiments: BatchLoader<number, ExperimentNote[]>;
  /** Costs of the traces of the runs. */
  readonly costsOfExperiments: BatchLoader<number, Costs>;
  readonly costTypesOfExperiments: BatchLoader<number, CostsOfType[]>;
  readonly runs: BatchLoader<number, RunOfRevision>;
  /** Keys: `groupKey`. Runs are sorted by repetition. */
  readonly runsOfExamples: BatchLoader<string, RunOfRevision[]>;
  readonly evaluationsOfRuns: BatchLoader<number, ExperimentEvaluation[]>;
  readonly evaluations: BatchLoader<number, ExperimentEvaluation>;
  readonly personAnnotationsOfRuns: BatchLoader<number, ReadPersonAnnotation[]>;
  /** Keys: trace IDs of OpenTelemetry; values: row ids. */
  readonly traceRowIds: BatchLoader<string, number>;
}

/** Runs of an example in an experiment. */
export const groupKey = (experimentRowId: number, exampleRowId: number): string => `${experimentRowId}:${exampleRowId}`;

/** Outputs may be long. */
const RUN_COUNT_MAX = 200;
/** Maximum number of traces whose costs are read at once. */
const TRACE_COUNT_MAX = 1_000;

export function createExperimentLoaders(
  newLoader: NewLoader,
  { experiments, spans }: Pick<Domain, 'experiments' | 'spans'>,
  options: ReadOptions,
): ExperimentLoaders {
  const runs = newLoader<number, RunOfRevision>((rowIds) => experiments.findRunsByRowIds(rowIds), RUN_COUNT_MAX);
  return {
    experiments: newLoader((rowIds) => experiments.findByRowIds(rowIds)),
    jobs: newLoader((rowIds) => experiments.findJobs(rowIds)),
    jobIdsOfDatasets: newLoader((rowIds) => experiments.findJobsOfDatasets(rowIds)),
    jobTasks: newLoader((rowIds) => experiments.findJobTasks(rowIds)),
    jobProgress: newLoader((rowIds) => experiments.findJobProgress(rowIds)),
    jobLogs: newLoader((rowIds) => experiments.findJobLogs(rowIds)),
    lastErrorsOfJobs: newLoader((rowIds) => experiments.findLastJobErrors(rowIds)),
    experimentTags: newLoader((rowIds) => experiments.findTags(rowIds)),
    sequenceNumbersOfExperiments: newLoader((rowIds) => experiments.findSequenceNumbers(rowIds)),
    projectsOfExperiments: newLoader((rowIds) => experiments.findProjectsOfExperiments(rowIds)),
    splitIdsOfExperiments: newLoader((rowIds) => experiments.findSplitsOfExperiments(rowIds)),
    experimentCountsOfDatasets: newLoader((rowIds) =>
      experiments.countOfDatasets(rowIds, { includesEphemeral: false }),
    ),
    baselinesOfDatasets: newLoader((rowIds) => experiments.findBaselines(rowIds)),
    summariesOfExperiments: newLoader((rowIds) => experiments.summarize(rowIds)),
    tagsOfExperiments: newLoader((rowIds) => experiments.findTagsOfExperiments(rowIds)),
    notesOfExperiments: newLoader((rowIds) => experiments.findNotesOfExperiments(rowIds)),
    costsOfExperiments: newLoader((rowIds) =>
      sumOverTraces(
        rowIds,
        (traceRowIds) => spans.get({ of: 'traces', column: 'costs', rowIds: traceRowIds }, options),
        sumCosts,
      ),
    ),
    costTypesOfExperiments: newLoader((rowIds) =>
      sumOverTraces(
        rowIds,
        (traceRowIds) => spans.get({ of: 'traces', column: 'tokenTypes', rowIds: traceRowIds }, options),
        (lists) => sumCostsOfTypes(lists.flat()),
      ),
    ),
    runs,
    runsOfExamples: newLoader(async (keys) => {
      const lists = await experiments.findRunsOfExamples(keys.map(parseGroupKey));
      for (const list of lists) for (const run of list) runs.prime(run.rowId, run);
      return new Map(keys.map((key, index) => [key, lists[index] ?? []]));
    }, RUN_COUNT_MAX),
    evaluationsOfRuns: newLoader((rowIds) => experiments.evaluationsOfRuns(rowIds)),
    evaluations: newLoader((rowIds) => experiments.findEvaluations(rowIds)),
    personAnnotationsOfRuns: newLoader((rowIds) => experiments.findPersonAnnotationsOfRuns(rowIds)),
    traceRowIds: newLoader(async (ids) => toRowIds(await spans.findByIds({ of: 'traces', ids }, options))),
  };

  /** An experiment without stored traces is absent. */
  async function sumOverTraces<Value, Sum>(
    experimentRowIds: readonly number[],
    read: (traceRowIds: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
    sum: (values: readonly Value[]) => Sum,
  ): Promise<Map<number, Sum>> {
    const sums = new Map<number, Sum>();
    for (const [experimentRowId, traceIds] of await experiments.findTraceIds(experimentRowIds)) {
      const values: Value[] = [];
      for (let from = 0; from < traceIds.length; from += TRACE_COUNT_MAX) {
        const ids = traceIds.slice(from, from + TRACE_COUNT_MAX);
        const found = await spans.findByIds({ of: 'traces', ids }, options);
        if (found.length > 0) values.push(...(await read(found.map(({ rowId }) => rowId))).values());
      }
      if (values.length > 0) sums.set(experimentRowId, sum(values));
    }
    return sums;
  }
}

function parseGroupKey(key: string) {
  const [experiment = '', example = ''] = key.split(':');
  return { experimentRowId: Number(experiment), exampleRowId: Number(example) };
}
