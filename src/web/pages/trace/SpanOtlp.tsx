import { useEffect, useState } from 'react';
import { Failure } from '../../components/Failure.tsx';
import { Card } from '../../components/values/Card.tsx';
import { TextView } from '../../components/values/TextView.tsx';
import type { RequestFailure } from '../../data/request.ts';
import { toFailure } from '../../data/use-query.ts';
import { useRetries } from '../../data/use-retries.ts';
import type { SpanDetails } from './span-details.ts';

/** Longer texts are shown as they came: laying them out would take a second or more. */
const INDENTED_CHARS_MAX = 500_000;

/** The span as an exporter would send it. */
export function SpanOtlp({ projectId, span }: { readonly projectId: string; readonly span: SpanDetails }) {
  const [text, setText] = useState<string>();
  const [failure, setFailure] = useState<RequestFailure>();
  const [attempt, setAttempt] = useState(0);
  useRetries(failure, false, () => setAttempt((count) => count + 1));
  const { spanId } = span;
  const { traceId } = span.context;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` stands for asking again
  useEffect(() => {
    let isLeft = false;
    setText(undefined);
    setFailure(undefined);
    import('./read-otlp.ts')
      .then(({ readOtlp }) => readOtlp({ projectId, traceId, spanId }))
      .then(
        (parts) => isLeft || setText(parts.join('')),
        (error: unknown) => isLeft || setFailure(toFailure(error)),
      );
    return () => {
      isLeft = true;
    };
  }, [projectId, traceId, spanId, attempt]);
  if (failure) return <Failure failure={failure} onRetry={() => setAttempt(attempt + 1)} />;
  if (text === undefined) return <div aria-busy="true" />;
  return (
    <Card title="OTLP JSON" copies={text}>
      <p className="muted">
        The resource and the scope are empty here: the server reads them when a span arrives and does not keep them.
      </p>
      <TextView text={text.length < INDENTED_CHARS_MAX ? JSON.stringify(JSON.parse(text), null, 2) : text} isCode />
    </Card>
  );
}
