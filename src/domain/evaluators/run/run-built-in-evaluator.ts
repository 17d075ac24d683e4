import type { ExactJson } from '../../../base/exact-json.ts';
import { type BuiltInFinding, type BuiltInPorts, runBuiltIn } from './built-in/run-built-in.ts';
import { type KindResult, toMetadata, toOutputResult } from './evaluator-result.ts';
import { type EvaluationRun, runStep } from './evaluator-step.ts';
import { mapEvaluatorInputs } from './map-evaluator-inputs.ts';
import type { RunnableBuiltIn } from './runnable.ts';

/** @throws {SpandrelError} `EVALUATOR_INVALID` when the context cannot be evaluated */
export async function runBuiltInEvaluator(
  ports: BuiltInPorts,
  run: EvaluationRun,
  runnable: RunnableBuiltIn,
): Promise<KindResult> {
  const { key, inputSchema, inputMapping, outputConfigs } = runnable;
  const inputs = await mapEvaluatorInputs(run, inputMapping, inputSchema);
  const finding = await runStep(
    run,
    { name: key, kind: 'CHAIN', input: inputs },
    () => runBuiltIn(ports, key, inputs, run),
    (found: BuiltInFinding): ExactJson => ({ ...found }),
  );
  const results = await runStep(
    run,
    { name: 'Parse Eval Result', kind: 'CHAIN', input: { ...finding } },
    () => outputConfigs.map((config) => toOutputResult(finding, config)),
    (parsed) => parsed.map((result): ExactJson => ({ ...result })),
  );
  return { results, metadata: toMetadata(inputs) };
}
