import type { OutputConfig } from '../../../model/evaluators/evaluator.ts';

/**
 * Names of the annotations of an evaluator, one per output: the name of the first output, with several outputs followed by
 * the name of each. The names that are stored and those that are searched for when evaluations are missing are these.
 */
export function annotationNames(outputConfigs: readonly Pick<OutputConfig, 'name'>[]): string[] {
  const [first] = outputConfigs;
  if (first === undefined) return [];
  return outputConfigs.length === 1 ? [first.name] : outputConfigs.map(({ name }) => `${first.name}.${name}`);
}
