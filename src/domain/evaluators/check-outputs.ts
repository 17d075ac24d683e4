import { expectPresent } from '../../base/expect-present.ts';
import type { AnnotationConfigType } from '../../model/annotations/annotation-config.ts';
import type { OutputConfig } from '../../model/evaluators/evaluator.ts';
import { EVALUATOR_LABEL_COUNT_MAX, EVALUATOR_OUTPUT_COUNT_MAX } from '../../model/limits/datasets.ts';
import { invalid } from './input-mapping.ts';

/**
 * Checks the outputs of an LLM evaluator: at least one categorical config. Each config is valid by itself.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID`
 */
export function checkLlmOutputs(configs: readonly OutputConfig[]): void {
  checkAll(configs, 'An LLM evaluator', 'CATEGORICAL');
  if (configs.length === 0) invalid('An LLM evaluator needs at least one output config');
}

/**
 * Checks configs that replace those of a built-in evaluator. They must have its kind; a match gets the first label, any other
 * output the second.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID`
 */
export function checkOverrides(configs: readonly OutputConfig[], [base]: readonly OutputConfig[]): void {
  checkAll(configs, 'This evaluator', expectPresent(base, 'a built-in evaluator has an output').type);
  for (const config of configs) {
    if (config.type === 'CATEGORICAL' && config.values.length !== 2) {
      const received = config.values.length;
      invalid(`The output config '${config.name}' needs two labels, for yes and for no, received ${received}`);
    }
  }
}

/** Checks the outputs of a code evaluator, which may have any kind, and none. @throws {SpandrelError} `EVALUATOR_INVALID` */
export const checkCodeOutputs = (configs: readonly OutputConfig[]): void => checkAll(configs, 'A code evaluator', null);

/** `type` null: any. */
function checkAll(configs: readonly OutputConfig[], whose: string, type: AnnotationConfigType | null): void {
  if (configs.length > EVALUATOR_OUTPUT_COUNT_MAX) {
    invalid(`${whose} may have at most ${EVALUATOR_OUTPUT_COUNT_MAX} output configs, received ${configs.length}`);
  }
  const names = new Set<string>();
  for (const config of configs) {
    const { name } = config;
    if (name.trim() === '') invalid('An output config needs a name');
    if (names.has(name)) invalid(`The names of output configs must differ, but '${name}' occurs twice`);
    names.add(name);
    if (type !== null && config.type !== type) {
      const received = `'${name}' is ${config.type.toLowerCase()}`;
      invalid(`${whose} accepts only ${type.toLowerCase()} output configs, but ${received}`);
    }
    if (config.type === 'CATEGORICAL' && config.values.length > EVALUATOR_LABEL_COUNT_MAX) {
      invalid(
        `The output config '${name}' has ${config.values.length} labels; the maximum is ${EVALUATOR_LABEL_COUNT_MAX}`,
      );
    }
  }
}
