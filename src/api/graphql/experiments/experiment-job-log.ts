import type { JobItemRef, JobLog } from '../../../model/experiment-job.ts';
import { fromRow, id, type Resolvers } from '../resolvers.ts';

const row = fromRow(({ jobLogs }) => jobLogs);

export const experimentLogResolvers: Resolvers = {
  id,
  occurredAt: row(({ occurredAt }) => occurredAt),
  category: row(({ category }) => category),
  level: row(({ level }) => level),
  message: row(({ message }) => message),
  detail: row(toDetail),
};

function toDetail({ detail, item }: JobLog): object | null {
  if (detail === null) return null;
  const workItem = item && toWorkItem(item);
  return detail.type === 'failure'
    ? { __typename: 'FailureDetail', workItem, errorType: detail.error_type }
    : { __typename: 'RetriesExhaustedDetail', workItem, retryCount: detail.retry_count, reason: detail.reason };
}

const toWorkItem = (item: JobItemRef): object =>
  'runRowId' in item
    ? {
        __typename: 'EvalWorkItemId',
        experimentRunId: item.runRowId,
        datasetEvaluatorId: item.datasetEvaluatorRowId,
      }
    : {
        __typename: 'TaskWorkItemId',
        datasetExampleId: item.exampleRowId,
        repetitionNumber: item.repetitionNumber,
      };
