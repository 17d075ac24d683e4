import type { JobActivity, JobCounts } from '../../../model/experiment-job.ts';
import { annotationNames } from '../../evaluators/run/annotation-names.ts';
import { loadRunnable } from '../../evaluators/run/load-runnable.ts';
import type { Ports } from '../../ports.ts';

/** Progress of a job. Counts of work in this process are 0 while another server, or none, runs it. */
export interface JobProgress extends JobCounts {
  /** Evaluations of all runs, as far as there are or will be runs to evaluate. */
  readonly evaluationCount: number;
  readonly activity: JobActivity;
  /** Null without an estimate. */
  readonly remainingSeconds: number | null;
}

const IDLE: JobActivity = {
  readyTaskCount: 0,
  runningTaskCount: 0,
  readyEvaluationCount: 0,
  runningEvaluationCount: 0,
  itemsPerSecond: 0,
};

/** Progress of jobs by row id. A row id that no job has is absent. */
export async function findJobProgress(
  ports: Pick<Ports, 'experimentJobs' | 'evaluators' | 'projects' | 'jobRunner'>,
  rowIds: readonly number[],
): Promise<Map<number, JobProgress>> {
  const names = await findNames(ports, rowIds);
  const counts = await ports.experimentJobs.count(rowIds, names);
  return new Map(
    [...counts].map(([rowId, count]) => {
      const activity = ports.jobRunner.activityOf(rowId) ?? IDLE;
      // Runs that failed are not evaluated.
      const runCount = Math.max(count.taskCount - count.failedTaskCount, count.doneTaskCount);
      const evaluationCount = (names.get(rowId)?.length ?? 0) * runCount;
      const itemCount =
        Math.max(0, count.taskCount - count.doneTaskCount - count.failedTaskCount) +
        Math.max(0, evaluationCount - count.doneEvaluationCount - count.failedEvaluationCount);
      const { itemsPerSecond } = activity;
      const remainingSeconds = itemsPerSecond > 0 ? itemCount / itemsPerSecond : null;
      return [rowId, { ...count, evaluationCount, activity, remainingSeconds }];
    }),
  );
}

/** Names of the annotations of the attached evaluators by job. */
async function findNames(
  ports: Pick<Ports, 'evaluators' | 'projects'>,
  rowIds: readonly number[],
): Promise<Map<number, string[]>> {
  const attached = await ports.evaluators.findOfExperiments(rowIds);
  const names = new Map<number, string[]>();
  for (const [rowId, evaluators] of attached) {
    const lists = await Promise.all(
      evaluators.map(async (evaluator) => {
        try {
          return annotationNames((await loadRunnable(ports as Ports, evaluator)).outputConfigs);
        } catch {
          // It has been deleted.
          return [];
        }
      }),
    );
    names.set(rowId, [...new Set(lists.flat())]);
  }
  return names;
}
