import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import {
  missingOf,
  readValue,
  type TemplateVariable,
  toVariables,
} from '../../../components/prompt/variant/variables.ts';
import { newId } from '../../../components/prompt/variant/variant.ts';

/** Where the rows of the grid come from. */
export type CaseSource =
  | { readonly type: 'typed'; readonly rows: readonly TypedCase[] }
  | { readonly type: 'dataset'; readonly datasetId: string; readonly splitIds: readonly string[] }
  /** The newest spans that match a filter. */
  | { readonly type: 'spans'; readonly projectId: string; readonly filter: string; readonly count: number };

export interface TypedCase {
  readonly id: string;
  /** Texts by the name of the variable. */
  readonly texts: Readonly<Record<string, string>>;
}

/** A row of the grid. */
export type Case =
  | { readonly type: 'typed'; readonly id: string; readonly texts: Readonly<Record<string, string>> }
  | {
      readonly type: 'example';
      readonly id: string;
      readonly externalId: string | null;
      readonly input: Json;
      readonly reference: Json;
      readonly metadata: Json;
      readonly splits: readonly { readonly id: string; readonly name: string; readonly color: string }[];
    }
  | {
      readonly type: 'span';
      readonly id: string;
      readonly name: string;
      readonly projectId: string;
      readonly traceId: string;
      readonly spanId: string;
      /** Variables of the recorded call, or its input and output. */
      readonly values: JsonObject;
    };

export const newCase = (texts: Readonly<Record<string, string>> = {}): TypedCase => ({ id: newId(), texts });

/** A row with one text changed. Names come from templates, so they never reach a prototype. */
export const withText = (row: TypedCase, name: string, text: string): TypedCase => ({
  ...row,
  texts: Object.fromEntries([...Object.entries(row.texts), [name, text]]),
});

/**
 * Variables of a case for a variant.
 *
 * @param path Where the variables are in an example, for example `input`. Empty for input, reference and metadata.
 */
export function valuesOf(each: Case, variables: readonly TemplateVariable[], path: string): JsonObject {
  switch (each.type) {
    case 'typed':
      return toVariables(variables, each.texts);
    case 'span':
      return each.values;
    case 'example': {
      const context: JsonObject = { input: each.input, reference: each.reference, metadata: each.metadata };
      const at = path === '' ? context : readValue(context, path);
      return isObject(at) ? at : {};
    }
  }
}

/** Names of variables that a case lacks, so that it cannot run. */
export const missingIn = (each: Case, variables: readonly TemplateVariable[], path: string): readonly string[] =>
  missingOf(variables, valuesOf(each, variables, path));
