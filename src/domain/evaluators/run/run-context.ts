import { type ExactJson, isJsonObject } from '../../../base/exact-json.ts';
import { ownValue } from '../../../base/own-value.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import type { EvaluationContext } from '../../../model/evaluators/evaluation.ts';
import type { Ports } from '../../ports.ts';

/** Contexts of runs of experiments by row id, with the example as the experiment has captured it. Unknown runs are absent. */
export async function readRunContexts(
  { experiments, datasets }: Pick<Ports, 'experiments' | 'datasets'>,
  rowIds: readonly number[],
): Promise<Map<number, EvaluationContext>> {
  const runs = await experiments.findRunsByRowIds(rowIds);
  const revisions = await datasets.findRevisions([...new Set(Array.from(runs.values(), (run) => run.revisionRowId))]);
  const contexts = new Map<number, EvaluationContext>();
  for (const [rowId, run] of runs) {
    const example = revisions.get(run.revisionRowId);
    if (!example) continue;
    contexts.set(rowId, {
      input: parse(example.input),
      output: taskOutput(parse(run.output)),
      reference: parse(example.output),
      metadata: parse(example.metadata),
    });
  }
  return contexts;
}

/** The output of the task: of a run by the server, the content of its envelope. */
export function taskOutput(stored: ExactJson): ExactJson {
  const isEnvelope = isJsonObject(stored) && Object.keys(stored).length === 1;
  return (isEnvelope ? ownValue(stored, 'task_output') : undefined) ?? stored;
}

const parse = (text: string): ExactJson => parseExactJson(text, { depthMax: Number.POSITIVE_INFINITY });
