import type { ApiKey } from '../../model/access/api-key.ts';
import type { OAuth2Grant } from '../../model/access/oauth2.ts';
import type { User } from '../../model/access/user.ts';
import type { Annotation, AnnotationTarget } from '../../model/annotations/annotation.ts';
import type { AnnotationConfig } from '../../model/annotations/annotation-config.ts';
import type { CustomProvider } from '../../model/models/custom-provider.ts';
import type { GenerativeModel } from '../../model/models/generative-model.ts';
import type { Project } from '../../model/projects/project.ts';
import type { RetentionPolicy } from '../../model/projects/retention-policy.ts';
import type { Prompt, PromptLabel, PromptVersion, PromptVersionTag } from '../../model/prompts/prompt.ts';
import type { Secret } from '../../model/secrets/secret.ts';
import type { SpanBody, SpanRow } from '../../model/spans/span.ts';
import type { Session } from '../../model/traces/session.ts';
import type { SpanSums } from '../../model/traces/span-sums.ts';
import type { Trace } from '../../model/traces/trace.ts';
import type { TraceSkeleton } from '../../model/traces/trace-skeleton.ts';
import type {
  AnnotationAggregates,
  AnnotationAggregatesQuery,
  Domain,
  ErrorTypeCount,
  ReadOptions,
  SessionDetails,
} from '../../domain/domain.ts';
import { type AggregateRow, measure, ROWS_OF_TARGET, totalOf } from '../../domain/domain.ts';
import type { FilteredRange } from './arguments.ts';
import { createDatasetLoaders, type DatasetLoaders } from './datasets/dataset-loaders.ts';
import { createEvaluatorLoaders, type EvaluatorLoaders } from './evaluators/evaluator-loaders.ts';
import { AggregateLoader } from './execution/aggregate-loader.ts';
import { BatchLoader, type BatchSchedule, type NewLoader } from './execution/batch-loader.ts';
import type { RequestWork } from './execution/request-work.ts';
import { createExperimentLoaders, type ExperimentLoaders } from './experiments/experiment-loaders.ts';
import { byScope, type CostLoaders, createCostLoaders } from './models/cost-loaders.ts';
import { TraceTree } from './traces/trace-tree.ts';

/** Reads that fields request per row and that are batched for all rows. Keys are row ids of the loader's noun. */
export interface Loaders extends CostLoaders, DatasetLoaders, EvaluatorLoaders, ExperimentLoaders {
  readonly users: BatchLoader<number, User>;
  readonly apiKeys: BatchLoader<number, ApiKey>;
  readonly apiKeysOfUsers: BatchLoader<number, ApiKey[]>;
  readonly grants: BatchLoader<number, OAuth2Grant>;
  readonly grantsOfUsers: BatchLoader<number, OAuth2Grant[]>;
  readonly projects: BatchLoader<number, Project>;
  readonly retentionPolicies: BatchLoader<number, RetentionPolicy>;
  readonly models: BatchLoader<number, GenerativeModel>;
  readonly customProviders: BatchLoader<number, CustomProvider>;
  readonly modelNamesOfProviders: BatchLoader<number, string[]>;
  /** Keys are keys of secrets. */
  readonly secrets: BatchLoader<string, Secret>;
  readonly projectSums: BatchLoader<number, AggregateRow<typeof PROJECT_SUMS>>;
  readonly traces: BatchLoader<number, Trace>;
  /** Row ids of spans. */
  readonly rootsOfTraces: BatchLoader<number, number>;
  readonly usersOfTraces: BatchLoader<number, string>;
  readonly errorTypesOfTraces: BatchLoader<number, ErrorTypeCount[]>;
  readonly trees: BatchLoader<number, TraceTree>;
  readonly spanSums: BatchLoader<number, SumsOfTrace>;
  readonly skeletons: BatchLoader<number, TraceSkeleton>;
  readonly spans: BatchLoader<number, SpanRow>;
  readonly spanBodies: BatchLoader<number, SpanBody>;
  readonly sessions: BatchLoader<number, Session>;
  readonly sessionDetails: BatchLoader<number, SessionDetails>;
  readonly usersOfSessions: BatchLoader<number, string>;
  readonly tracesOfSessions: BatchLoader<number, Trace[]>;
  readonly prompts: BatchLoader<number, Prompt>;
  readonly promptVersions: BatchLoader<number, PromptVersion>;
  /** Newest first. */
  readonly versionIdsOfPrompts: BatchLoader<number, number[]>;
  readonly promptVersionTags: BatchLoader<number, PromptVersionTag>;
  readonly tagsOfPrompts: BatchLoader<number, PromptVersionTag[]>;
  readonly promptLabels: BatchLoader<number, PromptLabel>;
  readonly labelsOfPrompts: BatchLoader<number, PromptLabel[]>;
  readonly promptCountsOfLabels: BatchLoader<number, number>;
  readonly annotations: BatchLoader<number, Annotation>;
  /** Keys are row ids of the targets. */
  readonly annotationsOf: Readonly<Record<AnnotationTarget, BatchLoader<number, Annotation[]>>>;
  /** Annotations of a scope by name. */
  annotationSums(scope: AnnotationScope): BatchLoader<string, AnnotationAggregates>;
  readonly configsOfProjects: BatchLoader<number, AnnotationConfig[]>;
  readonly aggregates: AggregateLoader;
}

/** Aggregates of the traces of a project. */
const PROJECT_SUMS = {
  traceCount: measure.rows,
  spanCount: measure.sum('spanCount'),
  tokensPrompt: measure.sum('tokensPrompt'),
  tokensCompletion: measure.sum('tokensCompletion'),
  startTimeUnixNano: measure.earliest('startTime'),
  endTimeUnixNano: measure.latest('endTime'),
} as const;

/** Aggregates of the spans of a trace, and the index of each span by row id. */
export interface SumsOfTrace {
  readonly sums: SpanSums;
  readonly indices: ReadonlyMap<number, number>;
}

const toSumsOfTrace = (sums: SpanSums): SumsOfTrace => ({
  sums,
  indices: new Map(Array.from(sums.rowIds, (rowId, index) => [rowId, index])),
});

const countChars = ({ attributeParts, events, input, output }: SpanBody): number =>
  [...Object.values(attributeParts), events, input, output].reduce((sum, text) => sum + (text?.length ?? 0), 0);

export type AnnotationScope = Omit<AnnotationAggregatesQuery, 'names' | 'bins'>;

/** Maximum number of traces whose spans are read at once, because a trace may have many spans. */
const TREE_COUNT_MAX = 200;
/** Maximum number of bodies per read, because bodies may be long. */
const BODY_COUNT_MAX = 200;

export function createLoaders(
  {
    users,
    apiKeys,
    authorization,
    projects,
    annotationConfigs,
    prompts,
    models,
    providers,
    secrets,
    retention,
    spans,
    datasets,
    evaluators,
    sandboxes,
    calibrations,
    experiments,
  }: Pick<
    Domain,
    | 'users'
    | 'apiKeys'
    | 'authorization'
    | 'projects'
    | 'annotationConfigs'
    | 'prompts'
    | 'models'
    | 'providers'
    | 'secrets'
    | 'retention'
    | 'spans'
    | 'datasets'
    | 'evaluators'
    | 'sandboxes'
    | 'calibrations'
    | 'experiments'
  >,
  options: ReadOptions,
  { chars, slices, signal }: RequestWork,
): Loaders {
  const schedule: BatchSchedule = {
    whenAsked: (flush) => slices.afterWork(signal, flush),
    run: (work) => slices.run(work, signal),
  };
  const newLoader: NewLoader = (read, batchCountMax) => new BatchLoader(read, schedule, batchCountMax);
  const annotations = newLoader<number, Annotation>((rowIds) =>
    spans.get({ of: 'annotations', column: 'row', rowIds }, options),
  );
  const annotationsOf = (target: AnnotationTarget) =>
    newLoader<number, Annotation[]>(async (rowIds) => {
      const found = await spans.get({ of: ROWS_OF_TARGET[target], column: 'annotations', rowIds }, options);
      for (const list of found.values()) for (const one of list) annotations.prime(one.rowId, one);
      return found;
    });
  const traces = newLoader<number, Trace>((rowIds) => spans.get({ of: 'traces', column: 'row', rowIds }, options));
  return {
    projects: newLoader((rowIds) => projects.findByRowIds(rowIds)),
    retentionPolicies: newLoader((rowIds) => retention.findByRowIds(rowIds)),
    models: newLoader((rowIds) => models.findByRowIds(rowIds)),
    users: newLoader((rowIds) => users.findByRowIds(rowIds)),
    apiKeys: newLoader((rowIds) => apiKeys.findByRowIds(rowIds)),
    apiKeysOfUsers: newLoader((rowIds) => apiKeys.findOfUsers(rowIds)),
    grants: newLoader((rowIds) => authorization.findGrants(rowIds)),
    grantsOfUsers: newLoader((rowIds) => authorization.findGrantsOfUsers(rowIds)),
    customProviders: newLoader((rowIds) => providers.findByRowIds(rowIds)),
    secrets: newLoader((keys: readonly string[]) => secrets.findByKeys(keys)),
    modelNamesOfProviders: newLoader((rowIds) => providers.modelNamesOf(rowIds)),
    ...createCostLoaders(newLoader, spans, options),
    ...createDatasetLoaders(newLoader, datasets),
    ...createEvaluatorLoaders(newLoader, { evaluators, sandboxes, calibrations }),
    ...createExperimentLoaders(newLoader, { experiments, spans }, options),
    projectSums: newLoader(async (rowIds) => {
      const query = {
        grain: 'traces',
        projects: { only: rowIds },
        groupBy: ['projectId'],
        measures: PROJECT_SUMS,
      } as const;
      const rows = await spans.aggregate(query, options);
      return new Map(rows.map((row) => [row.projectId, row]));
    }),
    traces,
    rootsOfTraces: newLoader((rowIds) => spans.get({ of: 'traces', column: 'rootSpanId', rowIds }, options)),
    usersOfTraces: newLoader((rowIds) => spans.get({ of: 'traces', column: 'user', rowIds }, options)),
    errorTypesOfTraces: newLoader((rowIds) => spans.get({ of: 'traces', column: 'errorTypes', rowIds }, options)),
    trees: newLoader(async (rowIds) => {
      const found = await spans.get({ of: 'traces', column: 'spans', rowIds }, options);
      return new Map(Array.from(found, ([rowId, list]) => [rowId, new TraceTree(list)]));
    }, TREE_COUNT_MAX),
    spanSums: newLoader(async (rowIds) => {
      const found = await spans.get({ of: 'traces', column: 'sums', rowIds }, options);
      return new Map(Array.from(found, ([rowId, sums]) => [rowId, toSumsOfTrace(sums)]));
    }, TREE_COUNT_MAX),
    skeletons: newLoader((rowIds) => spans.get({ of: 'traces', column: 'skeleton', rowIds }, options), TREE_COUNT_MAX),
    spans: newLoader((rowIds) => spans.get({ of: 'spans', column: 'row', rowIds }, options)),
    spanBodies: newLoader(async (rowIds) => {
      const found = await spans.get({ of: 'spans', column: 'body', rowIds }, options);
      for (const body of found.values()) chars.take(countChars(body));
      return found;
    }, BODY_COUNT_MAX),
    sessions: newLoader((rowIds) => spans.get({ of: 'sessions', column: 'row', rowIds }, options)),
    sessionDetails: newLoader((rowIds) => spans.get({ of: 'sessions', column: 'details', rowIds }, options)),
    usersOfSessions: newLoader((rowIds) => spans.get({ of: 'sessions', column: 'user', rowIds }, options)),
    tracesOfSessions: newLoader(async (rowIds) => {
      const found = await spans.get({ of: 'sessions', column: 'traces', rowIds }, options);
      for (const list of found.values()) for (const trace of list) traces.prime(trace.rowId, trace);
      return found;
    }),
    prompts: newLoader((rowIds) => prompts.findByRowIds(rowIds)),
    promptVersions: newLoader((rowIds) => prompts.findVersions(rowIds), BODY_COUNT_MAX),
    versionIdsOfPrompts: newLoader((rowIds) => prompts.findVersionIdsOfPrompts(rowIds)),
    promptVersionTags: newLoader((rowIds) => prompts.findTags(rowIds)),
    tagsOfPrompts: newLoader((rowIds) => prompts.findTagsOfPrompts(rowIds)),
    promptLabels: newLoader((rowIds) => prompts.findLabels(rowIds)),
    labelsOfPrompts: newLoader((rowIds) => prompts.findLabelsOfPrompts(rowIds)),
    promptCountsOfLabels: newLoader((rowIds) => prompts.countPromptsOfLabels(rowIds)),
    annotations,
    annotationsOf: {
      span: annotationsOf('span'),
      trace: annotationsOf('trace'),
      session: annotationsOf('session'),
      document: annotationsOf('document'),
    },
    annotationSums: byScope(
      newLoader,
      (scope) => `${scope.target} ${rangeKey(scope.projectId, scope)}`,
      async (scope, names: readonly string[]) =>
        new Map((await spans.aggregateAnnotations({ ...scope, names }, options)).map((sums) => [sums.name, sums])),
    ),
    configsOfProjects: newLoader((projectIds) => annotationConfigs.findOfProjects(projectIds)),
    aggregates: new AggregateLoader(async (query) => totalOf(await spans.aggregate(query, options))),
  };
}

export const rangeKey = (
  projectId: number,
  { startTimeUnixNano, endTimeUnixNano, filter, sessionFilter }: FilteredRange,
): string => `${projectId} ${startTimeUnixNano} ${endTimeUnixNano} ${filter?.text ?? ''}\0${sessionFilter?.text ?? ''}`;
