import { expectPresent } from '../../base/expect-present.ts';
import type { AnnotationConfigType } from '../../model/annotations/annotation-config.ts';
import type { OutputConfig } from '../../model/evaluators/evaluator.ts';
import { EVALUATOR_LABEL_COUNT_MAX, EVALUATOR_OUTPUT_COUNT_MAX } from '../../model/limits.ts';
import { invalid } from './input-mapping.ts';

/**
 * What an LLM evaluator yields: one categorical config at least. Each config was checked by itself.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID`
 */
export function checkLlmOutputs(configs: readonly OutputConfig[]): void {
  checkAll(configs, 'An LLM evaluator', 'CATEGORICAL');
  if (configs.length === 0) invalid('An LLM evaluator needs at least one output config, and none came');
}

/**
 * Configs in place of a built-in evaluator's, for outputs of the same kind: what matches gets the first label, what does
 * not the second.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID`
 */
export function checkOverrides(configs: readonly OutputConfig[], [base]: readonly OutputConfig[]): void {
  checkAll(configs, 'This evaluator', expectPresent(base, 'a built-in evaluator has an output').type);
  for (const config of configs) {
    if (config.type === 'CATEGORICAL' && config.values.length !== 2) {
      const came = config.values.length;
      invalid(`The output config '${config.name}' needs two labels, for yes and for no, and ${came} came`);
    }
  }
}

function checkAll(configs: readonly OutputConfig[], whose: string, type: AnnotationConfigType): void {
  if (configs.length > EVALUATOR_OUTPUT_COUNT_MAX) {
    invalid(`${whose} may have ${EVALUATOR_OUTPUT_COUNT_MAX} output configs, and ${configs.length} came`);
  }
  const names = new Set<string>();
  for (const config of configs) {
    const { name } = config;
    if (name.trim() === '') invalid('An output config needs a name');
    if (names.has(name)) invalid(`The names of output configs must differ, and '${name}' came twice`);
    names.add(name);
    if (config.type !== type) {
      const came = `'${name}' is ${config.type.toLowerCase()}`;
      invalid(`${whose} takes ${type.toLowerCase()} output configs only, and ${came}`);
    }
    if (config.type === 'CATEGORICAL' && config.values.length > EVALUATOR_LABEL_COUNT_MAX) {
      invalid(
        `The output config '${name}' has ${config.values.length} labels, and may have ${EVALUATOR_LABEL_COUNT_MAX}`,
      );
    }
  }
}
