import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import { submitDeletion } from '../submit-deletion.ts';

type Parts = Pick<Ports, 'projects' | 'spans' | 'writes'>;

/**
 * Moves traces of one project to another, all of them or none. Their sessions stay where they are.
 *
 * @returns How many: each once.
 * @throws {SpandrelError} `QUERY_INVALID`, `NODE_NOT_FOUND`
 */
export async function transferTraces(parts: Parts, given: readonly number[], projectId: number): Promise<number> {
  const traceRowIds = [...new Set(given)];
  if (traceRowIds.length === 0) refuse('Must provide at least one trace ID to transfer');
  const project = await parts.projects.find({ rowId: projectId });
  if (!project) refuse('Destination project does not exist');
  const traces = await parts.spans.findTracesByRowIds(traceRowIds);
  if (traces.size < traceRowIds.length) refuse('Invalid trace IDs provided');
  if (new Set([...traces.values()].map((trace) => trace.projectId)).size > 1) {
    refuse('Cannot transfer traces from multiple projects');
  }
  const { position } = await parts.writes.submitTransfer({ traceRowIds, projectId });
  await parts.writes.applied(position);
  // Deleted meanwhile: what it holds goes, also what came to it since.
  if (!(await parts.projects.find({ rowId: projectId }))) {
    await submitDeletion(parts, { what: 'project', projectId, name: project!.name });
  }
  return traceRowIds.length;
}

/**
 * The same with what people name traces and projects by.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `TRACE_NOT_FOUND`, `QUERY_INVALID`
 */
export async function transferNamedTraces(
  parts: Parts,
  traceIdentifiers: readonly string[],
  projectIdentifier: string,
): Promise<{ readonly count: number; readonly projectId: number }> {
  const { rowId: projectId } = await getProject(parts, projectIdentifier);
  const rowIds: number[] = [];
  for (let from = 0; from < traceIdentifiers.length; from += LOOKUPS_AT_ONCE) {
    const some = traceIdentifiers.slice(from, from + LOOKUPS_AT_ONCE);
    for (const rowId of await Promise.all(some.map((identifier) => findTrace(parts, identifier)))) {
      if (rowId === undefined) throw new SpandrelError('TRACE_NOT_FOUND', 'One or more traces not found');
      rowIds.push(rowId);
    }
  }
  return { count: await transferTraces(parts, rowIds, projectId), projectId };
}

const LOOKUPS_AT_ONCE = 16;

function findTrace({ spans }: Pick<Ports, 'spans'>, identifier: string): Promise<number | undefined> {
  const rowId = rowIdOf('Trace', identifier);
  return spans.findTraceRowId(rowId === undefined ? { id: identifier } : { rowId });
}

const refuse = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};
