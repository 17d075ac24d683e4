import { useEffect, useMemo, useState } from 'react';
import { useQuery } from '../../data/use-query.ts';
import { previewExamples } from './generated/cases.ts';
import { type SpanMapping, toSentMapping } from './span-mapping.ts';

/** Number of spans whose examples a dialog shows. */
const PREVIEWED_COUNT = 25;
/** Time without a keystroke before the preview follows. */
const WAIT_MS = 250;

/** Examples that the server would make of the first spans. They follow each change of the mapping. */
export function usePreview(
  spanIds: readonly string[] | undefined,
  mapping: SpanMapping,
  datasetId: string | undefined,
) {
  const sent = useMemo(() => toSentMapping(mapping), [mapping]);
  const settled = useSettled(sent, WAIT_MS);
  const ids = spanIds?.slice(0, PREVIEWED_COUNT) ?? [];
  const { data, failure, isLoading, refetch } = useQuery(
    previewExamples,
    ids.length === 0 ? undefined : { input: { spanIds: ids, mapping: settled, datasetId: datasetId ?? null } },
    { keeps: false },
  );
  return { examples: data?.previewSpanExamples ?? [], failure, isLoading: isLoading || settled !== sent, refetch };
}

/** The value once it has not changed for a time. */
function useSettled<Value>(value: Value, waitMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), waitMs);
    return () => clearTimeout(timer);
  }, [value, waitMs]);
  return settled;
}
