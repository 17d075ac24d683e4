import { SpandrelError } from '../../../model/errors.ts';
import type {
  OnlineDay,
  OnlineEvaluator,
  OnlineItemState,
  OnlineTarget,
} from '../../../model/evaluators/online-evaluator.ts';
import { ONLINE_BACKFILL_LIST_COUNT } from '../../../model/limits/online-evaluators.ts';
import { checkMapping, NO_MAPPING } from '../../../domain/evaluators/input-mapping.ts';
import { rowIdOf, toGlobalId } from '../../contract/global-id.ts';
import { authorRef } from '../access/user.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { toEvaluatorRef } from '../evaluators/dataset-evaluator.ts';
import { parseNodeId, rowIdOfNode } from '../node.ts';
import { type NodeRef, projectRef, type Resolvers } from '../resolvers.ts';

interface Input<Fields> {
  readonly input: Fields;
}

interface MappingInput {
  readonly literalMapping: unknown;
  readonly pathMapping: unknown;
}

interface CreateInput {
  readonly projectId: string;
  readonly evaluatorId: string;
  readonly name: string;
  readonly description?: string | null;
  readonly target: OnlineTarget;
  readonly filter: string;
  readonly inputMapping?: MappingInput | null;
  readonly samplingRate: number;
  readonly quietSeconds: number;
  readonly dailyCallCountMax?: number | null;
  readonly dailyCostMax?: number | null;
  readonly isEnabled: boolean;
}

type PatchInput = { readonly id: string } & {
  readonly [Name in keyof Omit<CreateInput, 'projectId' | 'evaluatorId' | 'target'>]?: CreateInput[Name] | null;
};

interface BackfillInput {
  readonly id: string;
  /** Nanoseconds since the epoch, as a text. */
  readonly startTime?: string | null;
  readonly endTime?: string | null;
}

const EVALUATOR_TYPES: ReadonlySet<string> = new Set(['LLMEvaluator', 'BuiltInEvaluator', 'CodeEvaluator']);

export const onlineEvaluatorQueries: Resolvers = {
  async onlineEvaluator(_source, { id }: { readonly id: string }, { domain }: GraphqlContext) {
    const found = await domain.onlineEvaluators.find(rowIdOfOnline(id));
    return found ? toObject(found) : null;
  },
  onlineBackfillEstimate: (_source, { input }: Input<BackfillInput>, { domain }: GraphqlContext) =>
    domain.onlineEvaluators.estimateBackfill(toRequest(input)),
};

export const onlineEvaluatorMutations: Resolvers = {
  async createOnlineEvaluator(_source, { input }: Input<CreateInput>, { domain }: GraphqlContext) {
    const evaluator = parseNodeId(input.evaluatorId);
    if (!EVALUATOR_TYPES.has(evaluator.type)) reject('evaluatorId is not the ID of an evaluator');
    const created = await domain.onlineEvaluators.create({
      projectId: rowIdOfNode('Project', input.projectId),
      evaluatorRowId: evaluator.rowId,
      name: input.name,
      description: input.description || null,
      target: input.target,
      filter: input.filter,
      inputMapping: input.inputMapping ? checkMapping(input.inputMapping) : NO_MAPPING,
      samplingRate: input.samplingRate,
      quietMs: toMs(input.quietSeconds),
      dailyCallCountMax: input.dailyCallCountMax ?? null,
      dailyCostMax: input.dailyCostMax ?? null,
      isEnabled: input.isEnabled,
    });
    return toObject(created);
  },
  async patchOnlineEvaluator(_source, { input }: Input<PatchInput>, { domain }: GraphqlContext) {
    const changed = await domain.onlineEvaluators.change(rowIdOfOnline(input.id), {
      name: input.name ?? undefined,
      description: input.description === undefined ? undefined : input.description || null,
      filter: input.filter ?? undefined,
      inputMapping: input.inputMapping ? checkMapping(input.inputMapping) : undefined,
      samplingRate: input.samplingRate ?? undefined,
      quietMs: input.quietSeconds == null ? undefined : toMs(input.quietSeconds),
      dailyCallCountMax: input.dailyCallCountMax,
      dailyCostMax: input.dailyCostMax,
      isEnabled: input.isEnabled ?? undefined,
    });
    return toObject(changed);
  },
  async deleteOnlineEvaluator(_source, { id }: { readonly id: string }, { domain }: GraphqlContext) {
    return toObject(await domain.onlineEvaluators.delete(rowIdOfOnline(id)));
  },
  async startOnlineBackfill(_source, { input }: Input<BackfillInput>, { domain }: GraphqlContext) {
    await domain.onlineEvaluators.startBackfill(toRequest(input));
    return reread(rowIdOfOnline(input.id), domain);
  },
  async stopOnlineBackfill(_source, { id }: { readonly id: string }, { domain }: GraphqlContext) {
    await domain.onlineEvaluators.stopBackfill(rowIdOfOnline(id));
    return reread(rowIdOfOnline(id), domain);
  },
  async retryOnlineItems(_source, { id }: { readonly id: string }, { domain }: GraphqlContext) {
    await domain.onlineEvaluators.retryItems(rowIdOfOnline(id));
    return reread(rowIdOfOnline(id), domain);
  },
};

export const onlineEvaluatorsOfProject: Resolvers = {
  async onlineEvaluators({ rowId }: NodeRef, _args, { domain, items }: GraphqlContext) {
    const evaluators = await domain.onlineEvaluators.list(rowId);
    items.take(evaluators.length);
    return evaluators.map(toObject);
  },
};

type OnlineObject = ReturnType<typeof toObject>;

export const onlineEvaluatorResolvers: Resolvers = {
  user: (source: OnlineObject, _args, context: GraphqlContext) => authorRef(source, context),
  waitingCount: ({ rowId }: OnlineObject, _args, { domain }: GraphqlContext) =>
    domain.onlineEvaluators.countWaiting(rowId),
  async days({ rowId }: OnlineObject, { first }: { readonly first: number }, { domain, items }: GraphqlContext) {
    const days: OnlineDay[] = await domain.onlineEvaluators.listDays(rowId, checkCount('first', first, 1, 366));
    items.take(days.length);
    return days;
  },
  async items(
    { rowId, target }: OnlineObject,
    args: { readonly state: OnlineItemState; readonly first: number; readonly offset: number },
    { domain, items }: GraphqlContext,
  ) {
    const found = await domain.onlineEvaluators.listItems({
      onlineEvaluatorRowId: rowId,
      state: args.state,
      limit: checkCount('first', args.first, 1, 100),
      offset: checkCount('offset', args.offset, 0, 10_000),
    });
    items.take(found.length);
    return found.map((item) => ({ ...item, targetId: toGlobalId(NODE_TYPES[target], item.targetRowId) }));
  },
  async backfills({ rowId }: OnlineObject, _args, { domain, items }: GraphqlContext) {
    const backfills = await domain.onlineEvaluators.listBackfills(rowId, ONLINE_BACKFILL_LIST_COUNT);
    items.take(backfills.length);
    return backfills;
  },
};

const NODE_TYPES = { SPAN: 'Span', TRACE: 'Trace', SESSION: 'ProjectSession' } as const;

const toObject = ({ evaluator, inputMapping, ...rest }: OnlineEvaluator) => ({
  ...rest,
  id: toGlobalId('OnlineEvaluator', rest.rowId),
  project: projectRef(rest.projectId),
  evaluator: toEvaluatorRef(evaluator),
  inputMapping: { pathMapping: inputMapping.paths, literalMapping: inputMapping.literals },
  quietSeconds: rest.quietMs / 1_000,
  traceProject: projectRef(rest.traceProjectId),
});

async function reread(rowId: number, domain: GraphqlContext['domain']): Promise<OnlineObject> {
  const found = await domain.onlineEvaluators.find(rowId);
  // It was deleted after the change.
  if (!found) throw new SpandrelError('ONLINE_EVALUATOR_NOT_FOUND', 'The online evaluator was deleted');
  return toObject(found);
}

const toRequest = ({ id, startTime, endTime }: BackfillInput) => ({
  rowId: rowIdOfOnline(id),
  startTime: startTime ? toDate(startTime) : null,
  endTime: endTime ? toDate(endTime) : null,
});

const toDate = (nanos: string): Date => new Date(Number(BigInt(nanos) / 1_000_000n));

const toMs = (seconds: number): number => Math.round(seconds * 1_000);

function rowIdOfOnline(id: string): number {
  const rowId = rowIdOf('OnlineEvaluator', id);
  if (rowId === undefined) throw new SpandrelError('NODE_ID_INVALID', 'This is not the ID of an online evaluator');
  return rowId;
}

function checkCount(name: string, value: number, min: number, max: number): number {
  return value >= min && value <= max ? value : reject(`${name} must be ${min} to ${max}, received ${value}`);
}
