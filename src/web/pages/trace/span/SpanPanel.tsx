import { useMemo } from 'react';
import { parseAttributes } from '../../../../semconv/read-open-inference.ts';
import { SpanOtlp } from '../otlp/SpanOtlp.tsx';
import { useAccess } from '../../../access/use-access.ts';
import { AnnotationChips } from '../../../components/annotations/AnnotationChips.tsx';
import { addSpanAnnotation } from '../../../components/annotations/generated/annotations.ts';
import type { Annotations } from '../../../components/annotations/use-annotations.ts';
import { Failure, FailureBoundary } from '../../../components/Failure.tsx';
import { attributeField, writeCondition } from '../../../components/filter/write-condition.ts';
import { KindMark } from '../../../components/Kind.tsx';
import { kindLabel } from '../../../components/kinds.ts';
import { Card } from '../../../components/values/Card.tsx';
import { JsonView, type Leaf } from '../../../components/values/JsonView.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatBytes, formatLatency } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { appPath } from '../../../router/app-url.ts';
import { navigate, setSearch, useLocation } from '../../../router/location.ts';
import { spanDetails } from '../generated/trace.ts';
import type { TracePane } from '../use-trace-pane.tsx';
import { SpanContent } from './SpanContent.tsx';
import { SpanEvents } from './SpanEvents.tsx';
import { SpanTools } from './SpanTools.tsx';
import type { SpanDetails } from './span-details.ts';
import { Usage } from './Usage.tsx';
import './span.css';
import { shownName } from '../../../format/names.ts';

const TABS = ['content', 'attributes', 'events', 'raw'] as const;
const LABELS = { content: 'Content', attributes: 'Attributes', events: 'Events', raw: 'OTLP' } as const;

/** Maximum number of annotation chips in the header. The annotation pane lists all. */
const CHIP_COUNT_MAX = 6;

interface SpanPanelProps {
  readonly projectId: string;
  readonly nodeId: string;
  /** Annotation pane of the trace. */
  readonly pane: TracePane;
}

/** All data of a span. */
export function SpanPanel({ projectId, nodeId, pane }: SpanPanelProps) {
  const { search } = useLocation();
  const tab = TABS.find((each) => each === search.get('spanView')) ?? 'content';
  const { data, failure, isStale, refetch } = useQuery(spanDetails, { id: nodeId });
  const annotations = pane.ofSpan;
  const isAnnotating = pane.openId === 'annotations';
  const annotate = () => pane.open('annotations');
  const canAnnotate = useAccess().may(addSpanAnnotation);
  const node = data?.node;
  const span = node?.__typename === 'Span' && !isStale ? node : undefined;
  const annotationCount = annotations.annotations.length + annotations.notes.length;
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  if (!span) return <Blank />;
  return (
    <section className="span-panel" aria-label="Span">
      <SpanHead projectId={projectId} span={span} annotations={annotations} onAnnotate={annotate}>
        <div className="span-bar">
          <div className="span-tabs grow" role="tablist" aria-label="Parts of the span">
            {TABS.map((each) => (
              <button
                key={each}
                type="button"
                role="tab"
                id={`tab-${each}`}
                aria-controls="span-body"
                aria-selected={each === tab}
                onClick={() => setSearch({ spanView: each === 'content' ? null : each }, { replaces: true })}
              >
                {LABELS[each]}
                {each === 'events' && span.events.length > 0 && <span className="muted"> {span.events.length}</span>}
              </button>
            ))}
          </div>
          <button
            type="button"
            className="button small"
            aria-expanded={isAnnotating}
            onClick={isAnnotating ? pane.close : annotate}
          >
            {canAnnotate ? 'Annotate' : 'Annotations'}{' '}
            {annotationCount > 0 && <span className="muted">{annotationCount}</span>}
            <kbd>E</kbd>
          </button>
        </div>
      </SpanHead>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div className="span-body" role="tabpanel" id="span-body" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        <FailureBoundary name="This part of the span" key={tab}>
          <div className="span-cards">
            {tab === 'content' && <SpanContent span={span} />}
            {tab === 'attributes' && <Attributes text={span.attributes} />}
            {tab === 'events' && <SpanEvents span={span} />}
            {tab === 'raw' && <SpanOtlp projectId={projectId} span={span} />}
          </div>
        </FailureBoundary>
      </div>
    </section>
  );
}

/** Placeholder while a span loads. */
const Blank = () => (
  <div className="span-panel span-blank" aria-busy="true">
    {[40, 25, 90, 70, 80].map((width) => (
      <div key={width} className="skeleton" style={{ width: `${width}%` }} />
    ))}
  </div>
);

interface SpanHeadProps {
  readonly projectId: string;
  readonly span: SpanDetails;
  readonly annotations: Annotations;
  readonly onAnnotate: () => void;
  readonly children: React.ReactNode;
}

function SpanHead({ projectId, span, annotations, onAnnotate, children }: SpanHeadProps) {
  const times = useTimeFormat();
  return (
    <header className="span-head">
      <div className="span-title">
        <KindMark kind={span.spanKind} />
        <h2 className="clip" dir="auto" title={span.name}>
          {shownName(span.name)}
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
        <Usage span={span} />
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
          <AnnotationChips annotations={annotations.annotations} onOpen={onAnnotate} countMax={CHIP_COUNT_MAX} />
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
          <span className="muted">This span has no attributes.</span>
        ) : (
          <JsonView value={attributes} openDepth={3} onFilter={showLike} />
        )}
      </Card>
      <Card title={`Raw, ${formatBytes(text.length)}`} copies={text} isCollapsedAtFirst>
        <TextView text={text.length < 500_000 ? indented(text, attributes) : text} isCode />
      </Card>
    </>
  );
}

/** Opens all spans of the project with the same value at the same path. */
function showLike(keys: readonly string[], value: Leaf): void {
  const [, , projectId = ''] = appPath(window.location.pathname).split('/');
  const search = new URLSearchParams({
    spans: 'all',
    spanFilterCondition: writeCondition({ field: attributeField(keys), value }, false),
  });
  navigate(`/projects/${projectId}/spans?${search}`);
}

/** Whether a number survives parsing. A number above 2^53 does not. */
const indented = (text: string, value: unknown): string =>
  value === undefined || JSON.stringify(value) !== text ? text : JSON.stringify(value, null, 2);
