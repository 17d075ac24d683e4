import type { OnlineEvaluator } from '../../model/evaluators/online-evaluator.ts';
import { type LoadPorts, loadEvaluator } from '../evaluators/run/load-runnable.ts';
import type { Runnable } from '../evaluators/run/runnable.ts';
import { onlineEvaluatorUnknown } from './change-online-evaluators.ts';

export interface OnlineRunnable {
  readonly runnable: Runnable;
  /** Revision of the online evaluator and version of its prompt or code. A version annotates a target once. */
  readonly version: string;
}

/** @throws {SpandrelError} `ONLINE_EVALUATOR_NOT_FOUND` while it is being deleted; `PROMPT_VERSION_NOT_FOUND` */
export async function loadOnlineRunnable(ports: LoadPorts, online: OnlineEvaluator): Promise<OnlineRunnable> {
  const { inputMapping, traceProjectId } = online;
  const project = (await ports.projects.findByRowIds([traceProjectId])).get(traceProjectId);
  const use = { inputMapping, outputConfigs: null, projectName: project?.name ?? null };
  const runnable = (await loadEvaluator(ports, online.evaluator, use)) ?? onlineEvaluatorUnknown(online.rowId);
  return { runnable, version: `${online.revision}.${judgeVersionOf(runnable)}` };
}

/** Versions of prompts and of code have row ids. A built-in evaluator has none. */
const judgeVersionOf = (runnable: Runnable): number =>
  (runnable.kind === 'LLM' ? runnable.promptVersionRowId : runnable.kind === 'CODE' ? runnable.versionRowId : null) ??
  0;
