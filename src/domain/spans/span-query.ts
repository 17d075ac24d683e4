// What a face says when it asks for spans; the faces do not know the store.
export type { AttributeCondition, ReadOptions, SpanQuery, TraceQuery } from '../../span-store/span-store.ts';
