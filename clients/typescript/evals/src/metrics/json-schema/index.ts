export { findSchemaProblem, type SchemaProblem } from './compile-schema.ts';
export { createJsonSchemaEvaluator, type JsonSchemaOptions } from './json-schema-evaluator.ts';
