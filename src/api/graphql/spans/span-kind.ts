import type { SpanKind } from '../../../semconv/span-kinds.ts';

/** A span kind in the spelling of the schema. */
export const toKindName = (kind: SpanKind): string => kind.toLowerCase();
