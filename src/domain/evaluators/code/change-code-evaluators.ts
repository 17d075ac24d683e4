import type { ExactJsonObject } from '../../../base/exact-json.ts';
import { authorOf } from '../../../model/access/caller.ts';
import type { CodeEvaluatorChanges, InputMapping, OutputConfig } from '../../../model/evaluators/evaluator.ts';
import type { CodeLanguage } from '../../../model/evaluators/sandbox-config.ts';
import { CODE_VERSION_COUNT_MAX } from '../../../model/limits/sandbox.ts';
import { RowError } from '../../../model/row-error.ts';
import type { InferredSignature } from '../../../sandbox/contract/sandbox.ts';
import type { Ports } from '../../ports.ts';
import { findUsableConfig, type SandboxParts } from '../../sandboxes/find-usable-config.ts';
import { checkCodeOutputs } from '../check-outputs.ts';
import { invalid } from '../input-mapping.ts';

type Parts = Pick<Ports, 'evaluators' | 'sandbox' | 'caller'> & SandboxParts;

export interface NewCode {
  /** An identifier. */
  readonly name: string;
  readonly description: string | null;
  readonly language: CodeLanguage;
  readonly sourceCode: string;
  readonly sandboxConfigRowId: number;
  readonly inputMapping: InputMapping;
  readonly outputConfigs: readonly OutputConfig[];
}

/**
 * Creates a code evaluator with its first version. The source is not run.
 *
 * @returns its row id
 * @throws {SpandrelError} `EVALUATOR_INVALID`, `EVALUATOR_NAME_TAKEN`, `SANDBOX_CONFIG_NOT_FOUND`, `SANDBOX_CONFIG_INVALID`
 */
export async function createCodeEvaluator(ports: Parts, code: NewCode): Promise<number> {
  checkCodeOutputs(code.outputConfigs);
  await findUsableConfig(ports, code.sandboxConfigRowId, code.language);
  const inputSchema = await inferInputs(ports, code.language, code.sourceCode);
  return ports.evaluators.createCode({ ...code, inputSchema, userId: authorOf(ports.caller) });
}

/**
 * Changes the given fields.
 *
 * @throws {SpandrelError} `EVALUATOR_NOT_FOUND`, and those of `createCodeEvaluator`
 */
export async function patchCodeEvaluator(ports: Parts, rowId: number, changes: CodeEvaluatorChanges): Promise<void> {
  const { evaluators } = ports;
  const found = (await evaluators.findCode([rowId])).get(rowId) ?? codeUnknown(rowId);
  if (changes.outputConfigs) checkCodeOutputs(changes.outputConfigs);
  if (changes.sandboxConfigRowId !== undefined) {
    await findUsableConfig(ports, changes.sandboxConfigRowId, found.language);
  }
  if (!(await evaluators.updateCode(rowId, changes))) codeUnknown(rowId);
}

/**
 * Adds a version, unless the source is that of the newest one.
 *
 * @returns whether it was added
 * @throws {SpandrelError} `EVALUATOR_NOT_FOUND`, `EVALUATOR_INVALID`
 */
export async function addCodeVersion(ports: Parts, rowId: number, sourceCode: string): Promise<boolean> {
  const { evaluators, caller } = ports;
  const found = (await evaluators.findCode([rowId])).get(rowId) ?? codeUnknown(rowId);
  const inputSchema = await inferInputs(ports, found.language, sourceCode);
  const added = await evaluators.addCodeVersion(rowId, { sourceCode, inputSchema, userId: authorOf(caller) });
  if (added === undefined) return codeUnknown(rowId);
  if (added === 'tooMany') invalid(`The evaluator already has ${CODE_VERSION_COUNT_MAX} versions, the maximum`);
  return added === 'added';
}

/** Reads the signature of `evaluate` without running the source. A source without a signature that can be read has a problem. */
export const readInputs = (
  { sandbox }: Pick<Ports, 'sandbox'>,
  language: CodeLanguage,
  sourceCode: string,
): Promise<InferredSignature> => sandbox.inferSignature(language, sourceCode);

/** @throws {SpandrelError} `EVALUATOR_INVALID` when the source does not define `evaluate` */
export async function inferInputs(
  ports: Pick<Ports, 'sandbox'>,
  language: CodeLanguage,
  sourceCode: string,
): Promise<ExactJsonObject> {
  const signature = await readInputs(ports, language, sourceCode);
  return signature.ok ? signature.inputSchema : invalid(signature.problem);
}

export function codeUnknown(rowId: number): never {
  throw new RowError('EVALUATOR_NOT_FOUND', 'CodeEvaluator', [rowId], (id) => `CodeEvaluator with ID ${id} not found`);
}
