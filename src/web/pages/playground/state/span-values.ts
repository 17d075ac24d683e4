import { isObject, type JsonObject, parseIfJson } from '../../../../semconv/read-open-inference.ts';

/** What a row of the grid needs of a recorded span. */
interface RecordedSpan {
  readonly input: { readonly value: string } | null;
  readonly output: { readonly value: string } | null;
  /** Variables of a recorded call. Null for spans that call no model. */
  readonly replay: { readonly variables: unknown; readonly variablesSource: 'RECORDED' | 'RECOVERED' | 'NONE' } | null;
}

/**
 * Variables of a recorded span: those of its call, else the fields of its input. `input` and `output` are always there, so
 * that any prompt can ask about a span.
 */
export function valuesOfSpan({ input, output, replay }: RecordedSpan): JsonObject {
  const [given, answered] = [parseIfJson(input?.value), parseIfJson(output?.value)];
  const recorded = replay && replay.variablesSource !== 'NONE' ? (replay.variables as JsonObject) : undefined;
  return {
    ...(given !== undefined && { input: given }),
    ...(answered !== undefined && { output: answered }),
    ...(recorded ?? (isObject(given) ? given : {})),
  };
}
