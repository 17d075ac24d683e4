import type { ExactJsonObject } from '../../../base/exact-json.ts';
import type { InputMapping, OutputConfig } from '../../../model/evaluators/evaluator.ts';
import type { CodeLanguage } from '../../../model/evaluators/sandbox-config.ts';
import { SANDBOX_TIMEOUT_SECONDS } from '../../../model/limits/sandbox.ts';
import type { Ports } from '../../ports.ts';
import { checkBackendEnabled, findUsableConfig, type SandboxParts } from '../../sandboxes/find-usable-config.ts';
import { checkCodeOutputs } from '../check-outputs.ts';
import { invalid } from '../input-mapping.ts';
import type { RunnableCode } from '../run/runnable.ts';
import { inferInputs } from './change-code-evaluators.ts';

export type LoadCodePorts = Pick<Ports, 'evaluators'> & SandboxParts;

interface CodeUse {
  readonly inputMapping: InputMapping;
  readonly outputConfigs: readonly OutputConfig[] | null;
  readonly projectName: string | null;
}

/**
 * Loads the newest version of a code evaluator. Undefined when the evaluator does not exist.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID` without a version or sandbox config; `SANDBOX_CONFIG_INVALID`
 */
export async function loadCode(ports: LoadCodePorts, rowId: number, use: CodeUse): Promise<RunnableCode | undefined> {
  const found = (await ports.evaluators.findCode([rowId])).get(rowId);
  if (!found) return undefined;
  const { name, language, sandboxConfigRowId } = found;
  const versionRowId = (await ports.evaluators.findCodeVersionIds([rowId])).get(rowId)?.[0];
  const version =
    versionRowId === undefined
      ? undefined
      : (await ports.evaluators.findCodeVersions([versionRowId])).get(versionRowId);
  if (!version) return invalid(`The evaluator '${name}' has no source`);
  if (sandboxConfigRowId === null) return invalid(`The evaluator '${name}' has no sandbox config`);
  const config = await findUsableConfig(ports, sandboxConfigRowId, language);
  return {
    kind: 'CODE',
    ...{ name, language, source: version.sourceCode, versionRowId: version.rowId, inputSchema: version.inputSchema },
    authorRowId: version.userId,
    ...{ sandboxName: config.name, timeoutMs: 1_000 * config.timeoutSeconds },
    inputMapping: use.inputMapping,
    outputConfigs: withOutput(use.outputConfigs ?? found.outputConfigs, name),
    projectName: use.projectName,
  };
}

/** Code that is not stored. */
export interface InlineCode {
  readonly name: string;
  readonly language: CodeLanguage;
  readonly sourceCode: string;
  readonly outputConfigs: readonly OutputConfig[];
  /** Null: WebAssembly with the default limits. */
  readonly sandboxConfigRowId: number | null;
}

/** @throws {SpandrelError} `EVALUATOR_INVALID`, `SANDBOX_CONFIG_NOT_FOUND`, `SANDBOX_CONFIG_INVALID` */
export async function toRunnableCode(
  ports: LoadCodePorts & Pick<Ports, 'sandbox'>,
  { name, language, sourceCode, outputConfigs, sandboxConfigRowId }: InlineCode,
  inputMapping: InputMapping,
): Promise<RunnableCode> {
  checkCodeOutputs(outputConfigs);
  const inputSchema: ExactJsonObject = await inferInputs(ports, language, sourceCode);
  if (sandboxConfigRowId === null) await checkBackendEnabled(ports, 'WASM');
  const config = sandboxConfigRowId === null ? undefined : await findUsableConfig(ports, sandboxConfigRowId, language);
  return {
    kind: 'CODE',
    ...{ name, language, source: sourceCode, versionRowId: null, inputSchema, inputMapping, projectName: null },
    authorRowId: null,
    outputConfigs: withOutput(outputConfigs, name),
    sandboxName: config?.name ?? language.toLowerCase(),
    timeoutMs: 1_000 * (config?.timeoutSeconds ?? SANDBOX_TIMEOUT_SECONDS),
  };
}

/** Code without outputs annotates with what it returns, under its own name. */
const withOutput = (outputConfigs: readonly OutputConfig[], name: string): readonly OutputConfig[] =>
  outputConfigs.length > 0
    ? outputConfigs
    : [
        {
          ...{ type: 'FREEFORM', name, description: null, optimizationDirection: null, threshold: null },
          ...{ lowerBound: null, upperBound: null },
        },
      ];
