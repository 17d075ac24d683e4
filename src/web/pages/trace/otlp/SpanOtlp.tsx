import { Failure } from '../../../components/Failure.tsx';
import { Card } from '../../../components/values/Card.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { useRead } from '../../../data/use-query.ts';
import type { SpanDetails } from '../span/span-details.ts';

/** A longer text is shown without indentation, because its layout would take more than a second. */
const INDENTED_CHARS_MAX = 500_000;

/** The span as OTLP JSON, as an exporter would send it. */
export function SpanOtlp({ projectId, span }: { readonly projectId: string; readonly span: SpanDetails }) {
  const { spanId } = span;
  const { traceId } = span.context;
  const {
    data: text,
    failure,
    isStale,
    refetch,
  } = useRead(
    ['otlp', projectId, traceId, spanId],
    async (signal) => {
      const { readOtlp } = await import('./read-otlp.ts');
      return (await readOtlp({ projectId, traceId, spanId }, signal)).join('');
    },
    { keeps: false },
  );
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  if (text === undefined || isStale) return <div aria-busy="true" />;
  return (
    <Card title="OTLP JSON" copies={text}>
      <p className="muted">The resource and the scope are empty, because the server does not store them.</p>
      <TextView text={text.length < INDENTED_CHARS_MAX ? JSON.stringify(JSON.parse(text), null, 2) : text} isCode />
    </Card>
  );
}
