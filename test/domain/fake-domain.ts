import { SpandrelError } from '../../src/model/errors.ts';
import type { Project, ProjectChanges } from '../../src/model/projects/project.ts';
import type { RetentionPolicy } from '../../src/model/projects/retention-policy.ts';
import type { Span, SpanSummary } from '../../src/model/spans/span.ts';
import type { Session } from '../../src/model/traces/session.ts';
import type { Trace } from '../../src/model/traces/trace.ts';
import type { SpanId, TraceId } from '../../src/model/traces/trace-ids.ts';
import type { RowRef } from '../../src/span-store/contract/query-terms.ts';
import type { SpanStoreReader } from '../../src/span-store/contract/span-store.ts';
import type { SpanQuery } from '../../src/span-store/contract/spans.ts';
import type { TraceQuery } from '../../src/span-store/contract/traces.ts';
import type { Deletion } from '../../src/span-store/contract/writer.ts';
import { createUploadQueue } from '../../src/domain/datasets/upload-queue.ts';
import type { Ports } from '../../src/domain/ports.ts';
import type { RetentionPolicyRepository } from '../../src/domain/retention/retention-policy-repository.ts';
import { createSecretBox } from '../../src/domain/secrets/secret-box.ts';
import { createImportQueue } from '../../src/domain/spans/import-queue.ts';
import { openFakeModels, openFakeRecomputations } from './fake-models.ts';

/** Stores in memory that keep the contracts of `Ports` as far as the operations use them, and what was asked. */
export interface FakeDomain extends Ports {
  readonly rows: { projects: Project[]; spans: Span[]; traces: Trace[]; sessions: Session[]; summaries: SpanSummary[] };
  readonly asked: { spans: SpanQuery[]; traces: TraceQuery[] };
  /** Everything that changed a store, in order; `applied` too. */
  readonly log: string[];
  readonly submitted: string[];
  readonly deletions: Deletion[];
  /** For `SpanStoreOptions`. */
  removeProject(project: { readonly rowId: number }): Promise<void>;
}

export function openFakeDomain(): FakeDomain {
  const rows: FakeDomain['rows'] = { projects: [], spans: [], traces: [], sessions: [], summaries: [] };
  const asked: FakeDomain['asked'] = { spans: [], traces: [] };
  const log: string[] = [];
  const submitted: string[] = [];
  const deletions: Deletion[] = [];
  let lastProjectId = 0;
  const addProject = (name: string, { description = null, ...colors }: ProjectChanges): Project => {
    const project = { rowId: ++lastProjectId, name, description, ...PROJECT_REST, ...given(colors) };
    rows.projects.push(project);
    return project;
  };
  addProject('default', {});
  const removeProject = async ({ rowId }: { readonly rowId: number }) => {
    rows.projects = rows.projects.filter((project) => project.rowId !== rowId);
  };

  return {
    rows,
    asked,
    log,
    submitted,
    deletions,
    datasets: NO_DATASETS,
    experiments: NO_EXPERIMENTS,
    evaluators: NO_EVALUATORS,
    uploads: createUploadQueue(),
    imports: createImportQueue(),
    removeProject,
    projects: {
      async list({ limit, fromRowId = Number.MAX_SAFE_INTEGER, nameContains = '' }) {
        const found = rows.projects
          .filter(({ rowId, name }) => rowId <= fromRowId && name.toLowerCase().includes(nameContains.toLowerCase()))
          .sort((a, b) => b.rowId - a.rowId);
        return pageOf(found, limit);
      },
      find: async (ref) =>
        rows.projects.find((project) => ('rowId' in ref ? project.rowId === ref.rowId : project.name === ref.name)),
      findByRowIds: async (rowIds) =>
        new Map(rows.projects.filter(({ rowId }) => rowIds.includes(rowId)).map((project) => [project.rowId, project])),
      async create({ name, ...rest }) {
        if (rows.projects.some((project) => project.name === name)) {
          throw new SpandrelError('PROJECT_NAME_TAKEN', `Project with name ${name} already exists`);
        }
        return addProject(name, rest);
      },
      async update(rowId, changes) {
        const index = rows.projects.findIndex((project) => project.rowId === rowId);
        if (index < 0) return undefined;
        rows.projects[index] = { ...rows.projects[index]!, ...given(changes) };
        return rows.projects[index];
      },
      findEvaluator: async () => undefined,
    },
    retention: fakeRetention(rows),
    models: openFakeModels(),
    recomputations: openFakeRecomputations(),
    prompts: notFaked('prompts'),
    savedViews: {} as Ports['savedViews'],
    providers: {} as Ports['providers'],
    secrets: createSecretBox(new Uint8Array(32)),
    search: (() => {}) as unknown as Ports['search'],
    annotationConfigs: {} as Ports['annotationConfigs'],
    spans: {
      ...NOT_FAKED,
      async findSpans(query) {
        asked.spans.push(query);
        return pageOf(
          rows.spans.filter(({ rowId }) => rowId <= (query.fromRowId ?? Infinity)),
          query.limit,
        );
      },
      async findTraces(query) {
        asked.traces.push(query);
        return pageOf(rows.traces, query.limit);
      },
      findSpansOfTraces: async (rowIds) => new Map(rowIds.slice(0, 1).map((rowId) => [rowId, rows.summaries])),
      findSessions: async ({ limit }) => pageOf(rows.sessions, limit),
      findSession: async (ref) => rows.sessions.find((session) => matches(ref, session.rowId, session.sessionId)),
      findTracesOfSessions: async (rowIds) =>
        new Map(rowIds.map((id) => [id, rows.traces.filter(({ sessionRowId }) => sessionRowId === id)])),
      findSpanRowId: async (ref) => rows.spans.find((span) => matches(ref, span.rowId, span.spanId))?.rowId,
      findTraceRowId: async (ref) => rows.traces.find((trace) => matches(ref, trace.rowId, trace.traceId))?.rowId,
      findStoredSpanIds: async (ids) => rows.spans.filter(({ spanId }) => ids.includes(spanId)),
    },
    writes: {
      async submitSpans(json) {
        submitted.push(json);
        return { position: log.push('spans journaled') };
      },
      async submitAnnotations({ annotations }) {
        return { position: log.push(`${annotations.length} annotations journaled`) };
      },
      async submitDeletion(deletion) {
        deletions.push(deletion);
        if (deletion.what === 'project') {
          await removeProject({ rowId: deletion.projectId });
        }
        return { position: log.push(`${deletion.what} deletion journaled`) };
      },
      async submitTransfer({ traceRowIds, projectId }) {
        return { position: log.push(`transfer of ${traceRowIds} to ${projectId} journaled`) };
      },
      async applied(position) {
        log.push(`applied ${position}`);
      },
    },
  };
}

/** Without what is undefined. */
const given = (changes: object): object =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

const PROJECT_REST = {
  gradientStartColor: '#5bdbff',
  gradientEndColor: '#1c76fc',
  retentionPolicyRowId: 0,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

/** The other reads are tested on a real store; here they are not there. */
const NOT_FAKED = {} as SpanStoreReader;

const matches = (ref: RowRef, rowId: number, id: string): boolean =>
  'rowId' in ref ? ref.rowId === rowId : ref.id === id;

const pageOf = <Row extends { rowId: number }>(found: Row[], limit: number) => {
  const next = found[limit];
  return { items: found.slice(0, limit), ...(next && { nextRowId: next.rowId }) };
};

export const TRACE_A = 'a'.repeat(32) as TraceId;
export const SPAN_1 = '1'.repeat(16) as SpanId;

export const aSpan = (over: Partial<Span> = {}): Span => ({
  rowId: 12,
  traceId: TRACE_A,
  spanId: SPAN_1,
  parentSpanId: null,
  name: 'chat',
  spanKind: 'LLM',
  statusCode: 'OK',
  statusMessage: '',
  startTimeUnixNano: 1_714_564_800_250_000_999n,
  endTimeUnixNano: 1_714_564_801_000_000_000n,
  attributeParts: ['{}'],
  events: null,
  ...over,
});

export const aTrace = (over: Partial<Trace> = {}): Trace => ({
  rowId: 7,
  traceId: TRACE_A,
  projectId: 1,
  sessionRowId: 3,
  startTimeUnixNano: 1_714_564_800_250_000_000n,
  endTimeUnixNano: 1_714_564_801_000_000_000n,
  spanCount: 1,
  errorCount: 0,
  tokensPrompt: 9,
  tokensCompletion: 12,
  ...over,
});

export const aSession = (over: Partial<Session> = {}): Session => ({
  rowId: 3,
  sessionId: 'chat-42',
  projectId: 1,
  startTimeUnixNano: 1_714_564_800_250_000_000n,
  endTimeUnixNano: 1_714_564_801_000_000_000n,
  traceCount: 1,
  errorCount: 0,
  tokensPrompt: 9,
  tokensCompletion: 12,
  firstInput: null,
  lastOutput: null,
  ...over,
});

/** A repository that is tested on Postgres alone: each of its methods throws. */
const notFaked = <Rows extends object>(noun: string): Rows =>
  new Proxy({} as Rows, {
    get: (_, name) => () => {
      throw new Error(`${noun}.${String(name)} is not faked`);
    },
  });
export const NO_DATASETS: Ports['datasets'] = notFaked('datasets');
export const NO_EXPERIMENTS: Ports['experiments'] = notFaked('experiments');
export const NO_EVALUATORS: Ports['evaluators'] = notFaked('evaluators');
/** As the tables: the default policy has row id 0, and what a project has is its own or that. */
function fakeRetention(rows: Pick<FakeDomain['rows'], 'projects'>): RetentionPolicyRepository {
  const rule = { type: 'max_days', max_days: 0 } as const;
  let policies: (RetentionPolicy & { readonly sweptAt: Date })[] = [
    { rowId: 0, name: 'Default', cronExpression: '0 0 * * 0', rule, sweptAt: new Date(0) },
  ];
  let lastRowId = 0;
  const assign = (projectIds: readonly number[], policyId: number, from?: number) => {
    rows.projects = rows.projects.map((project) =>
      projectIds.includes(project.rowId) && (from === undefined || project.retentionPolicyRowId === from)
        ? { ...project, retentionPolicyRowId: policyId }
        : project,
    );
  };
  const projectsOf = (rowId: number) =>
    rows.projects.filter((project) => project.retentionPolicyRowId === rowId).map((project) => project.rowId);
  const find = (rowId: number) => policies.find((policy) => policy.rowId === rowId);
  return {
    list: async () => policies,
    findByRowIds: async (rowIds) => new Map(rowIds.flatMap((rowId) => (find(rowId) ? [[rowId, find(rowId)!]] : []))),
    projectsOf: async (rowId) => projectsOf(rowId),
    async create(fields, projectIds) {
      const policy = { ...fields, rowId: ++lastRowId, sweptAt: new Date() };
      policies.push(policy);
      assign(projectIds, policy.rowId);
      return policy;
    },
    async update(rowId, { addedProjectIds = [], removedProjectIds = [], ...changes }) {
      const before = find(rowId);
      if (!before) return undefined;
      const policy = { ...before, ...(given(changes) as object) };
      policies = policies.map((other) => (other === before ? policy : other));
      assign(addedProjectIds, rowId);
      assign(removedProjectIds, 0, rowId);
      return policy;
    },
    async delete(rowId) {
      const policy = find(rowId);
      policies = policies.filter((other) => other !== policy);
      assign(projectsOf(rowId), 0);
      return policy;
    },
    async sweep(rowId, now, isDue, apply) {
      const policy = find(rowId);
      if (!policy || !isDue(policy, policy.sweptAt)) return false;
      await apply(policy, projectsOf(rowId));
      policies = policies.map((other) => (other === policy ? { ...policy, sweptAt: now } : other));
      return true;
    },
  };
}
