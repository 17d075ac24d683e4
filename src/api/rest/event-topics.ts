import { SpandrelError } from '../../model/errors.ts';
import { EVENT_TOPIC_COUNT_MAX } from '../../model/limits/reads.ts';
import { formatUnixNano } from '../../model/time/datetime.ts';
import type { Domain, StoreChange } from '../../domain/domain.ts';
import { toRowIds } from '../../domain/domain.ts';
import { rowIdOf, toGlobalId } from '../contract/global-id.ts';
import { toProjectRef } from '../contract/parse-refs.ts';
import { readQuery } from './read-request.ts';

/** A project, trace or session whose changes a stream reports. */
export interface EventTopic {
  /** Whether a changeset concerns the topic. An undefined changeset means that anything may have changed. */
  readonly isChangedBy: (change: StoreChange | undefined) => boolean;
  /** Event that reports a change. `changedAtMs` is undefined for the first event of a stream. */
  readonly toEvent: (changedAtMs: number | undefined) => Promise<string>;
  /** Undefined for any project, and for a deleted trace or session. */
  readonly projectId: number | undefined;
}

/**
 * Reads the topics from a query: `project` (name or global ID), `trace` and `session` (global ID or the application's own
 * ID), each any number of times. Without any, the only topic is every project. A trace or session with a global ID may have
 * been deleted: a page that still shows it continues to receive events of its other topics.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `TRACE_NOT_FOUND`, `SESSION_NOT_FOUND`; `QUERY_INVALID` for too many topics
 */
export async function readTopics(domain: Pick<Domain, 'projects' | 'spans'>, query: string): Promise<EventTopic[]> {
  const parameters = readQuery(query);
  const of = (name: string) => parameters.get(name) ?? [];
  const [projects, traces, sessions] = [of('project'), of('trace'), of('session')];
  const count = projects.length + traces.length + sessions.length;
  if (count > EVENT_TOPIC_COUNT_MAX) {
    throw new SpandrelError('QUERY_INVALID', `Expected at most ${EVENT_TOPIC_COUNT_MAX} topics, received ${count}`);
  }
  if (count === 0) return [toProjectTopic(domain, undefined)];
  return Promise.all([
    ...projects.map(async (id) => toProjectTopic(domain, (await domain.projects.get(toProjectRef(id))).rowId)),
    ...traces.map((id) => toTraceTopic(domain, id)),
    ...sessions.map((id) => toSessionTopic(domain, id)),
  ]);
}

async function toTraceTopic({ spans }: Pick<Domain, 'spans'>, id: string): Promise<EventTopic> {
  const rowId = rowIdOf('Trace', id) ?? toRowIds(await spans.findByIds({ of: 'traces', ids: [id] })).get(id);
  if (rowId === undefined) throw new SpandrelError('TRACE_NOT_FOUND', `Trace with trace_id '${id}' not found`);
  const trace = (await spans.get({ of: 'traces', column: 'row', rowIds: [rowId] })).get(rowId);
  return toRowTopic('Trace', rowId, trace?.projectId);
}

async function toSessionTopic({ spans }: Pick<Domain, 'spans'>, id: string): Promise<EventTopic> {
  const rowId = rowIdOf('ProjectSession', id) ?? toRowIds(await spans.findByIds({ of: 'sessions', ids: [id] })).get(id);
  if (rowId === undefined) throw new SpandrelError('SESSION_NOT_FOUND', `Session with session_id ${id} not found`);
  const session = (await spans.get({ of: 'sessions', column: 'row', rowIds: [rowId] })).get(rowId);
  return toRowTopic('ProjectSession', rowId, session?.projectId);
}

function toProjectTopic({ spans }: Pick<Domain, 'spans'>, rowId: number | undefined): EventTopic {
  const project = rowId === undefined ? null : toGlobalId('Project', rowId);
  return {
    projectId: rowId,
    isChangedBy: (change) => rowId === undefined || !change || change.projectIds.includes(rowId),
    // A client that reconnects compares this time with the last one that it received.
    toEvent: async () => toText({ project }, await spans.lastChangedAt(rowId)),
  };
}

/** A deleted trace has no project, so a large commit of any project concerns it. */
function toRowTopic(type: 'Trace' | 'ProjectSession', rowId: number, projectId: number | undefined): EventTopic {
  const id = toGlobalId(type, rowId);
  return {
    projectId,
    isChangedBy(change) {
      if (!change) return true;
      const rowIds = type === 'Trace' ? change.traceRowIds : change.sessionRowIds;
      if (rowIds) return rowIds.has(rowId);
      return projectId === undefined || change.projectIds.includes(projectId);
    },
    toEvent: async (changedAtMs) => toText(type === 'Trace' ? { trace: id } : { session: id }, changedAtMs),
  };
}

function toText(topic: object, changedAtMs: number | undefined): string {
  const changedAt = changedAtMs === undefined ? null : formatUnixNano(BigInt(changedAtMs) * 1_000_000n);
  return `event: change\ndata: ${JSON.stringify({ ...topic, last_changed_at: changedAt })}\n\n`;
}
