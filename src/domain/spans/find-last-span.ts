import type { Ports } from '../ports.ts';

/** Row id of the span of the project that has arrived last. 0 when it has none. */
export async function findLastSpan({ spans }: Pick<Ports, 'spans'>, projectId: number): Promise<number> {
  const { items } = await spans.listSpans({ projectId, order: 'desc', limit: 1 });
  return items[0]?.span.rowId ?? 0;
}
