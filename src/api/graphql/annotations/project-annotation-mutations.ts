import type { TimeRange } from '../../../domain/domain.ts';
import { type RangeArguments, reject, toTimeRange } from '../arguments.ts';
import { rowIdOfNode } from '../node.ts';
import { QUERY, type Resolver, type Resolvers } from '../resolvers.ts';

interface DeleteInput extends RangeArguments {
  readonly projectId: string;
  readonly annotationName: string;
  /** Compiled documents omit its default, the creation time. */
  readonly timeRangeField?: 'ANNOTATION_CREATED_AT' | 'SOURCE_START_TIME' | null;
}

export const projectAnnotationMutations: Resolvers = {
  deleteProjectSpanAnnotations: deletion('span'),
  deleteProjectTraceAnnotations: deletion('trace'),
  deleteProjectSessionAnnotations: deletion('session'),
};

function deletion(target: 'span' | 'trace' | 'session'): Resolver<unknown, { readonly input: DeleteInput }> {
  return async (_source, { input }, context) => {
    const projectId = rowIdOfNode('Project', input.projectId);
    const name = input.annotationName;
    if (name.trim() === '') reject('An annotation name is required.');
    const range = toTimeRange(input);
    const { startTimeUnixNano: start, endTimeUnixNano: end } = range;
    if (start !== undefined && end !== undefined && start >= end) {
      reject('Invalid time range: start must be before end.');
    }
    const inRange = input.timeRangeField === 'SOURCE_START_TIME' ? { targetsStart: range } : createdIn(range);
    const deletedAnnotationCount = await context.domain.annotations.deleteMatching({
      target,
      projectId,
      name,
      ...inRange,
    });
    context.invalidateReads();
    return { deletedAnnotationCount, query: QUERY };
  };
}

/** Creation times are whole milliseconds. */
const createdIn = ({ startTimeUnixNano, endTimeUnixNano }: TimeRange) => ({
  ...(startTimeUnixNano !== undefined && { createdFromMs: toMsAbove(startTimeUnixNano) }),
  ...(endTimeUnixNano !== undefined && { createdBeforeMs: toMsAbove(endTimeUnixNano) }),
});

const toMsAbove = (unixNano: bigint): number => Math.ceil(Number(unixNano / 1_000n) / 1_000);
