import { formatUnixNano } from '../../model/datetime.ts';
import { SpandrelError } from '../../model/errors.ts';
import { type GlobalIdType, toGlobalId } from '../../model/global-id.ts';
import { EVENT_TOPIC_COUNT_MAX } from '../../model/limits.ts';
import type { Domain, StoreChange } from '../../domain/domain.ts';
import { getProject } from '../../domain/projects/get-project.ts';
import { getSessionAlone } from '../../domain/sessions/get-session.ts';
import { getTrace } from '../../domain/traces/get-trace.ts';
import { readQuery } from './read-request.ts';

/** One thing whose changes a stream of events tells. */
export interface EventTopic {
  /** Whether a commit that changed this, or anything where it is undefined, concerns the topic. */
  readonly isChangedBy: (change: StoreChange | undefined) => boolean;
  /** The event that tells a change. `changedAtMs` is absent in the first event of a stream. */
  readonly toEvent: (changedAtMs: number | undefined) => Promise<string>;
}

/**
 * Reads the topics from a query: `project` (name or global ID), `trace` and `session` (global ID or the application's own
 * ID), each any number of times. Without any, the only topic is every project.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `TRACE_NOT_FOUND`, `SESSION_NOT_FOUND`; `QUERY_INVALID` for too many topics
 */
export async function readTopics(domain: Pick<Domain, 'projects' | 'spans'>, query: string): Promise<EventTopic[]> {
  const parameters = readQuery(query);
  const [projects, traces, sessions] = ['project', 'trace', 'session'].map((name) => parameters.get(name) ?? []);
  const count = projects!.length + traces!.length + sessions!.length;
  if (count > EVENT_TOPIC_COUNT_MAX) {
    throw new SpandrelError('QUERY_INVALID', `Expected at most ${EVENT_TOPIC_COUNT_MAX} topics, received ${count}`);
  }
  if (count === 0) return [toProjectTopic(domain, undefined)];
  return Promise.all([
    ...projects!.map(async (id) => toProjectTopic(domain, (await getProject(domain, id)).rowId)),
    ...traces!.map(async (id) => toRowTopic('Trace', await getTrace(domain, id))),
    ...sessions!.map(async (id) => toRowTopic('ProjectSession', await getSessionAlone(domain, id))),
  ]);
}

function toProjectTopic({ spans }: Pick<Domain, 'spans'>, rowId: number | undefined): EventTopic {
  const project = rowId === undefined ? null : toGlobalId('Project', rowId);
  return {
    isChangedBy: (change) => rowId === undefined || !change || change.projectIds.includes(rowId),
    // A client that connects again compares this time with the one that it knows.
    toEvent: async () => toText({ project }, await spans.lastChangedAt(rowId)),
  };
}

interface TopicRow {
  readonly rowId: number;
  readonly projectId: number;
}

function toRowTopic(
  type: Extract<GlobalIdType, 'Trace' | 'ProjectSession'>,
  { rowId, projectId }: TopicRow,
): EventTopic {
  const id = toGlobalId(type, rowId);
  return {
    isChangedBy(change) {
      if (!change) return true;
      const rowIds = type === 'Trace' ? change.traceRowIds : change.sessionRowIds;
      return rowIds ? rowIds.includes(rowId) : change.projectIds.includes(projectId);
    },
    toEvent: async (changedAtMs) => toText(type === 'Trace' ? { trace: id } : { session: id }, changedAtMs),
  };
}

function toText(topic: object, changedAtMs: number | undefined): string {
  const changedAt = changedAtMs === undefined ? null : formatUnixNano(BigInt(changedAtMs) * 1_000_000n);
  return `event: change\ndata: ${JSON.stringify({ ...topic, last_changed_at: changedAt })}\n\n`;
}
