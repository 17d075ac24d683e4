import { useMemo, useState } from 'react';
import { AnnotationChip } from '../../components/annotations/AnnotationChip.tsx';
import { AnnotationList, type Editing } from '../../components/annotations/AnnotationList.tsx';
import { type Annotations, useAnnotations } from '../../components/annotations/use-annotations.ts';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { attributeField, writeCondition } from '../../components/filter/write-condition.ts';
import { KindMark, kindLabel } from '../../components/Kind.tsx';
import { Tip } from '../../components/Tip.tsx';
import { Card } from '../../components/values/Card.tsx';
import { JsonView, type Leaf } from '../../components/values/JsonView.tsx';
import { TextView } from '../../components/values/TextView.tsx';
import { useQuery } from '../../data/use-query.ts';
import { formatBytes, formatCost, formatCount, formatLatency, MISSING } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { appPath } from '../../router/app-url.ts';
import { navigate, setSearch, useLocation } from '../../router/location.ts';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { spanDetails } from './generated/trace.ts';
import { parseAttributes } from './open-inference.ts';
import { SpanContent } from './SpanContent.tsx';
import { SpanEvents } from './SpanEvents.tsx';
import { SpanTools } from './SpanTools.tsx';
import type { SpanDetails } from './span-details.ts';

const TABS = ['content', 'attributes', 'events', 'annotations'] as const;
const LABELS = { content: 'Content', attributes: 'Attributes', events: 'Events', annotations: 'Annotations' } as const;

/** Chips in the head; all of them are in the list. */
const CHIP_COUNT_MAX = 12;

/** Everything about one span. */
export function SpanPanel({ projectId, nodeId }: { readonly projectId: string; readonly nodeId: string }) {
  const { search } = useLocation();
  const tab = TABS.find((each) => each === search.get('spanView')) ?? 'content';
  const { data, failure, isStale, refetch } = useQuery(spanDetails, { id: nodeId });
  const annotations = useAnnotations({ kind: 'span', id: nodeId });
  const [editing, setEditing] = useState<Editing>();
  const annotate = (what: Editing) => {
    setSearch({ spanView: 'annotations' });
    setEditing(what);
  };
  useHotkeys({ e: () => annotate('new') });
  const node = data?.node;
  const span = node?.__typename === 'Span' && !isStale ? node : undefined;
  const saidCount = annotations.annotations.length + annotations.notes.length;
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  if (!span) return <div className="span-panel" aria-busy="true" />;
  return (
    <section className="span-panel" aria-label="Span">
      <SpanHead projectId={projectId} span={span} annotations={annotations} onAnnotate={annotate}>
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
              {each === 'annotations' && saidCount > 0 && <span className="muted"> {saidCount}</span>}
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
            {tab === 'annotations' && <AnnotationList of={annotations} editing={editing} onEdit={setEditing} />}
          </div>
        </FailureBoundary>
      </div>
    </section>
  );
}

interface SpanHeadProps {
  readonly projectId: string;
  readonly span: SpanDetails;
  readonly annotations: Annotations;
  readonly onAnnotate: (what: Editing) => void;
  readonly children: React.ReactNode;
}

function SpanHead({ projectId, span, annotations, onAnnotate, children }: SpanHeadProps) {
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
        <SpanTools projectId={projectId} span={span} />
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
      {annotations.annotations.length > 0 && (
        <div className="annotation-chips wraps">
          {annotations.annotations.slice(0, CHIP_COUNT_MAX).map((annotation) => (
            <button key={annotation.id} type="button" className="plain-button" onClick={() => onAnnotate(annotation)}>
              <AnnotationChip {...annotation} title={annotation.explanation ?? undefined} />
            </button>
          ))}
        </div>
      )}
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
          <JsonView value={attributes} openDepth={3} onFilter={showLike} />
        )}
      </Card>
      <Card title={`Raw, ${formatBytes(text.length)}`} copies={text} isFoldedAtFirst>
        <TextView text={text.length < 500_000 ? indented(text, attributes) : text} isCode />
      </Card>
    </>
  );
}

/** All spans of the project that have a value at the same place. */
function showLike(keys: readonly string[], value: Leaf): void {
  const [, , projectId = ''] = appPath(window.location.pathname).split('/');
  const search = new URLSearchParams({
    spans: 'all',
    spanFilterCondition: writeCondition({ field: attributeField(keys), value }, false),
  });
  navigate(`/projects/${projectId}/spans?${search}`);
}

/** Only where nothing is lost by reading it: a number beyond 2^53 would come out as another. */
const indented = (text: string, value: unknown): string =>
  value === undefined || JSON.stringify(value) !== text ? text : JSON.stringify(value, null, 2);
