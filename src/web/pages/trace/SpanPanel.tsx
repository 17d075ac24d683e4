import { useMemo } from 'react';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { KindMark, kindLabel } from '../../components/Kind.tsx';
import { Tip } from '../../components/Tip.tsx';
import { Card } from '../../components/values/Card.tsx';
import { JsonView } from '../../components/values/JsonView.tsx';
import { TextView } from '../../components/values/TextView.tsx';
import { useQuery } from '../../data/use-query.ts';
import { formatBytes, formatCost, formatCount, formatLatency, MISSING } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { setSearch, useLocation } from '../../router/location.ts';
import { spanDetails } from './generated/trace.ts';
import { parseAttributes } from './open-inference.ts';
import { SpanContent } from './SpanContent.tsx';
import { SpanEvents } from './SpanEvents.tsx';
import type { SpanDetails } from './span-details.ts';

const TABS = ['content', 'attributes', 'events'] as const;
const LABELS = { content: 'Content', attributes: 'Attributes', events: 'Events' } as const;

/** Everything about one span. */
export function SpanPanel({ nodeId }: { readonly nodeId: string }) {
  const { search } = useLocation();
  const tab = TABS.find((each) => each === search.get('spanView')) ?? 'content';
  const { data, failure, isStale, refetch } = useQuery(spanDetails, { id: nodeId });
  const node = data?.node;
  const span = node?.__typename === 'Span' && !isStale ? node : undefined;
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  if (!span) return <div className="span-panel" aria-busy="true" />;
  return (
    <section className="span-panel" aria-label="Span">
      <SpanHead span={span}>
        <div className="span-tabs" role="tablist" aria-label="Parts of the span">
          {TABS.map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              id={`tab-${each}`}
              aria-controls="span-body"
              aria-selected={each === tab}
              onClick={() => setSearch({ spanView: each === 'content' ? null : each })}
            >
              {LABELS[each]}
              {each === 'events' && span.events.length > 0 && <span className="muted"> {span.events.length}</span>}
            </button>
          ))}
        </div>
      </SpanHead>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div className="span-body" role="tabpanel" id="span-body" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        <FailureBoundary name="This part of the span" key={tab}>
          <div className="span-cards">
            {tab === 'content' && <SpanContent span={span} />}
            {tab === 'attributes' && <Attributes text={span.attributes} />}
            {tab === 'events' && <SpanEvents span={span} />}
          </div>
        </FailureBoundary>
      </div>
    </section>
  );
}

function SpanHead({ span, children }: { readonly span: SpanDetails; readonly children: React.ReactNode }) {
  const times = useTimeFormat();
  const { cacheRead, cacheWrite, audio } = span.tokenPromptDetails;
  const details = [
    ['prompt', span.tokenCountPrompt],
    ['read from cache', cacheRead],
    ['written to cache', cacheWrite],
    ['audio', audio],
    ['completion', span.tokenCountCompletion],
  ] as const;
  return (
    <header className="span-head">
      <div className="span-title">
        <KindMark kind={span.spanKind} />
        <h2 className="clip" title={span.name}>
          {span.name}
        </h2>
        <span className={`kind kind-${span.spanKind}`}>{kindLabel(span.spanKind)}</span>
        {span.statusCode === 'ERROR' && <span className="status-error">Error</span>}
        <span className="grow" />
        <span className="fact">
          <code className="muted">{span.spanId}</code>
          <CopyButton text={span.spanId} label="Copy span id" />
        </span>
      </div>
      <div className="span-facts">
        <span className="fact">
          <span>Latency</span>
          <strong>{formatLatency(span.latencyMs)}</strong>
        </span>
        <span className="fact">
          <span>Tokens</span>
          {span.tokenCountTotal === null ? (
            <span>{MISSING}</span>
          ) : (
            <Tip
              text={details
                .filter(([, count]) => count !== null)
                .map(([label, count]) => `${formatCount(count)} ${label}`)
                .join(' · ')}
            >
              <strong>
                {formatCount(span.tokenCountPrompt)} → {formatCount(span.tokenCountCompletion)}
              </strong>
            </Tip>
          )}
        </span>
        {span.costSummary?.total.cost != null && (
          <span className="fact">
            <span>Cost</span>
            <Tip
              text={`${formatCost(span.costSummary.prompt.cost)} prompt · ${formatCost(span.costSummary.completion.cost)} completion`}
            >
              <strong>{formatCost(span.costSummary.total.cost)}</strong>
            </Tip>
          </span>
        )}
        <span className="fact">
          <span>Started</span>
          <span title={times.full(span.startTime)}>{times.clock(span.startTime)}</span>
        </span>
        {span.userId && (
          <span className="fact">
            <span>User</span>
            <span>{span.userId}</span>
          </span>
        )}
      </div>
      {children}
    </header>
  );
}

function Attributes({ text }: { readonly text: string }) {
  const attributes = useMemo(() => parseAttributes(text), [text]);
  return (
    <>
      <Card title="Attributes" copies={text}>
        {attributes === undefined ? (
          <TextView text={text} isCode />
        ) : Object.keys(attributes).length === 0 ? (
          <span className="muted">This span has none.</span>
        ) : (
          <JsonView value={attributes} openDepth={3} />
        )}
      </Card>
      <Card title={`Raw, ${formatBytes(text.length)}`} copies={text} isFoldedAtFirst>
        <TextView text={text.length < 500_000 ? indented(text, attributes) : text} isCode />
      </Card>
    </>
  );
}

/** Only where nothing is lost by reading it: a number beyond 2^53 would come out as another. */
const indented = (text: string, value: unknown): string =>
  value === undefined || JSON.stringify(value) !== text ? text : JSON.stringify(value, null, 2);
