export { bindEvaluator } from './evaluators/bind-evaluator.ts';
export {
  ClassificationEvaluator,
  type ClassificationEvaluatorOptions,
  createClassificationEvaluator,
  createClassifierFn,
} from './evaluators/classification-evaluator.ts';
export { generateClassification } from './evaluators/generate-classification.ts';
export { LLMEvaluator, type LLMEvaluatorOptions } from './evaluators/llm-evaluator.ts';
export {
  type Generated,
  type GenerateObjectOptions,
  type GenerateOptions,
  generateObject,
  generateText,
} from './generation/generate.ts';
