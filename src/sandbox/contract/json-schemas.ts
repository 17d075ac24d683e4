import type { ExactJson } from '../../base/exact-json.ts';

export type SchemaCheck = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/**
 * Checks JSON schemas of users and values against them, draft-07 and 2020-12, within a time limit. A schema without
 * `$schema` is 2020-12, or draft-07 if it is valid only there. References into other documents are rejected.
 */
export interface JsonSchemas {
  checkSchema(schema: ExactJson, signal?: AbortSignal): Promise<SchemaCheck>;
  /** The problem also reports an invalid schema. */
  validate(schema: ExactJson, value: ExactJson, signal?: AbortSignal): Promise<SchemaCheck>;
  close(): Promise<void>;
}
