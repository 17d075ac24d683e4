import { type ExactJson, type ExactJsonObject, newJsonObject } from '../../../base/exact-json.ts';
import type { Ports } from '../../ports.ts';
import { invalid } from '../input-mapping.ts';
import type { KindResult } from '../run/evaluator-result.ts';
import { type EvaluationRun, runStep } from '../run/evaluator-step.ts';
import { fieldsOf, gatherInputs } from '../run/map-evaluator-inputs.ts';
import type { RunnableCode } from '../run/runnable.ts';
import { parseReturnedValue } from './parse-returned-value.ts';

/** @throws {SpandrelError} `EVALUATOR_INVALID` when the code cannot run, or fails */
export async function runCodeEvaluator(
  { sandbox }: Pick<Ports, 'sandbox'>,
  run: EvaluationRun,
  { language, source, inputSchema, inputMapping, outputConfigs, sandboxName, timeoutMs }: RunnableCode,
): Promise<KindResult> {
  const inputs = await runStep(
    run,
    { name: 'Input Mapping', kind: 'CHAIN', input: run.context },
    () => checkRequired(gatherInputs(inputMapping, run.context, fieldsOf(inputSchema)), inputSchema),
    (mapped) => mapped,
  );
  const done = await runStep(
    run,
    { name: `Sandbox: ${sandboxName}`, kind: 'TOOL', input: inputs },
    async () => {
      const outcome = await sandbox.run({ language, source, inputs, timeoutMs, owner: run.owner }, run.signal);
      if (!outcome.ok) invalid(outcome.reason === 'timeout' ? 'timeout' : outcome.message);
      return outcome;
    },
    ({ value, printed }): ExactJson => (printed === '' ? { value } : { value, printed }),
  );
  const results = await runStep(
    run,
    { name: 'Parse Eval Result', kind: 'CHAIN', input: done.value },
    () => parseReturnedValue(done.value, outputConfigs),
    (parsed) => parsed.map((result): ExactJson => ({ ...result })),
    (parsed) => parsed.find(({ error }) => error !== null)?.error ?? undefined,
  );
  const metadata = newJsonObject();
  if (done.printed !== '') metadata.printed = done.printed;
  return { results, metadata };
}

function checkRequired(inputs: ExactJsonObject, { required }: ExactJsonObject): ExactJsonObject {
  for (const input of Array.isArray(required) ? required : []) {
    if (!Object.hasOwn(inputs, String(input))) invalid(`Input validation failed: '${input}' is a required property`);
  }
  return inputs;
}
