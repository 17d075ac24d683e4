import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type {
  OnlineEvaluator,
  OnlineEvaluatorChanges,
  OnlineEvaluatorFields,
  OnlineTarget,
} from '../../model/evaluators/online-evaluator.ts';
import { isIdentifier } from '../../model/identifier.ts';
import {
  ONLINE_EVALUATOR_COUNT_MAX,
  ONLINE_NAME_LENGTH_MAX,
  QUIET_MS_MAX,
  QUIET_MS_MIN,
} from '../../model/limits/online-evaluators.ts';
import { RowError } from '../../model/row-error.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { AuditParts } from '../access/audit.ts';
import { deleteProjectsOfEvaluators } from '../evaluators/delete-evaluators.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import { newTraceProjectName } from '../projects/trace-project-name.ts';
import { findLastSpan } from '../spans/find-last-span.ts';

type Parts = Pick<Ports, 'onlineEvaluators' | 'projects' | 'spans' | 'caller'>;

export interface OnlineEvaluatorRequest extends OnlineEvaluatorFields {
  readonly projectId: number;
  readonly evaluatorRowId: number;
  readonly target: OnlineTarget;
}

/**
 * Adds an evaluator to a project. It annotates what arrives from now on.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `EVALUATOR_NOT_FOUND`, `FILTER_INVALID`, `ONLINE_EVALUATOR_INVALID`,
 *   `ONLINE_EVALUATOR_NAME_TAKEN`
 */
export async function createOnlineEvaluator(ports: Parts, request: OnlineEvaluatorRequest): Promise<OnlineEvaluator> {
  checkFields(request);
  const { rowId: projectId, name } = await getProject(ports, { rowId: request.projectId });
  const evaluator = await ports.projects.findEvaluator(projectId);
  if (evaluator !== undefined) {
    reject(`The project '${name}' has the traces of the evaluator ${evaluator}, which are not evaluated themselves`);
  }
  const others = await ports.onlineEvaluators.list(projectId);
  if (others.length >= ONLINE_EVALUATOR_COUNT_MAX) {
    reject(`A project has at most ${ONLINE_EVALUATOR_COUNT_MAX} online evaluators; delete one first`);
  }
  const created = await ports.onlineEvaluators.create({
    ...request,
    projectId,
    lastSpanRowId: await findLastSpan(ports, projectId),
    traceProjectName: newTraceProjectName('Evaluator'),
    userId: authorOf(ports.caller),
  });
  return created ?? evaluatorUnknown(request.evaluatorRowId);
}

/**
 * Changes the given fields. A change of the filter, the mapping or the quiet time begins a new version, which annotates what
 * arrives from now on. One that is enabled again does not annotate what has arrived while it was disabled: that needs a backfill.
 *
 * @throws {SpandrelError} `ONLINE_EVALUATOR_NOT_FOUND`, and like `createOnlineEvaluator`
 */
export async function changeOnlineEvaluator(
  ports: Parts,
  rowId: number,
  changes: OnlineEvaluatorChanges,
): Promise<OnlineEvaluator> {
  const stored = (await ports.onlineEvaluators.find(rowId)) ?? onlineEvaluatorUnknown(rowId);
  checkFields({ ...stored, ...withoutUndefined(changes) });
  const isRevised = changes.filter !== undefined || changes.inputMapping !== undefined || changes.quietMs !== undefined;
  const isStarted = changes.isEnabled === true && !stored.isEnabled;
  const lastSpanRowId = isStarted ? await findLastSpan(ports, stored.projectId) : undefined;
  const changed = await ports.onlineEvaluators.update(rowId, { ...changes, lastSpanRowId }, { isRevised });
  return changed ?? onlineEvaluatorUnknown(rowId);
}

/** Deletes an online evaluator and its traces. Its annotations stay. @throws {SpandrelError} `ONLINE_EVALUATOR_NOT_FOUND` */
export async function deleteOnlineEvaluator(
  ports: Pick<Ports, 'onlineEvaluators' | 'projects' | 'writes'> & AuditParts,
  rowId: number,
): Promise<OnlineEvaluator> {
  const deleted = (await ports.onlineEvaluators.delete(rowId)) ?? onlineEvaluatorUnknown(rowId);
  await deleteProjectsOfEvaluators(ports, [deleted.traceProjectId]);
  return deleted;
}

function checkFields(fields: OnlineEvaluatorFields): void {
  const { name, filter, samplingRate, quietMs, dailyCallCountMax, dailyCostMax } = fields;
  if (!isIdentifier(name) || name.length > ONLINE_NAME_LENGTH_MAX) {
    reject(
      `The name of an online evaluator consists of lowercase letters, digits, '-' and '_', at most ${ONLINE_NAME_LENGTH_MAX}; received '${name.slice(0, ONLINE_NAME_LENGTH_MAX)}'`,
    );
  }
  parseSpanFilter(filter);
  if (!(samplingRate > 0 && samplingRate <= 1)) {
    reject(`The sampling rate must be greater than 0 and at most 1, received ${samplingRate}`);
  }
  if (!(Number.isSafeInteger(quietMs) && quietMs >= QUIET_MS_MIN && quietMs <= QUIET_MS_MAX)) {
    reject(`The quiet time must be ${QUIET_MS_MIN} to ${QUIET_MS_MAX} ms, received ${quietMs}`);
  }
  if (dailyCallCountMax !== null && !(Number.isSafeInteger(dailyCallCountMax) && dailyCallCountMax >= 0)) {
    reject(`The calls per day must be a whole number of 0 or more, received ${dailyCallCountMax}`);
  }
  if (dailyCostMax !== null && !(Number.isFinite(dailyCostMax) && dailyCostMax >= 0)) {
    reject(`The cost per day must be a number of dollars of 0 or more, received ${dailyCostMax}`);
  }
}

const withoutUndefined = (changes: OnlineEvaluatorChanges): Partial<OnlineEvaluatorFields> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

const reject = (message: string): never => {
  throw new SpandrelError('ONLINE_EVALUATOR_INVALID', message);
};

function evaluatorUnknown(rowId: number): never {
  throw new RowError('EVALUATOR_NOT_FOUND', 'Evaluator', [rowId], (id) => `Evaluator with ID ${id} not found`);
}

export function onlineEvaluatorUnknown(rowId: number): never {
  const describe = (id: string) => `OnlineEvaluator with ID ${id} not found`;
  throw new RowError('ONLINE_EVALUATOR_NOT_FOUND', 'OnlineEvaluator', [rowId], describe);
}
