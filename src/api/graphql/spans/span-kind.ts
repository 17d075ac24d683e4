import type { SpanKind } from '../../../semconv/span-kinds.ts';

/** A span kind as the schema spells it. */
export const toKindName = (kind: SpanKind): string => kind.toLowerCase();
