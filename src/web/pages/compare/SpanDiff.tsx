import { useMemo } from 'react';
import { at, type JsonObject, parseAttributes, readMessages } from '../../../semconv/read-open-inference.ts';
import { JsonDiff } from '../../components/diff/JsonDiff.tsx';
import { TextDiff } from '../../components/diff/TextDiff.tsx';
import { Failure } from '../../components/Failure.tsx';
import { KindMark } from '../../components/Kind.tsx';
import { useQuery } from '../../data/use-query.ts';
import { formatCost, formatCount, formatLatency } from '../../format/numbers.ts';
import { spanDetails } from '../trace/generated/trace.ts';
import { toPlainText } from '../trace/span/Messages.tsx';
import type { SpanDetails } from '../trace/span/span-details.ts';
import { Change } from './Change.tsx';
import '../../components/diff/diff.css';
import '../trace/span/span.css';

interface SpanDiffProps {
  readonly leftId: string | undefined;
  readonly rightId: string | undefined;
}

/** Compares figures, input, output and attributes of two spans. A span without a partner is shown alone. */
export function SpanDiff({ leftId, rightId }: SpanDiffProps) {
  const left = useSpan(leftId);
  const right = useSpan(rightId);
  const failed = left.failure ? left : right.failure ? right : undefined;
  if (failed?.failure) return <Failure failure={failed.failure} onRetry={failed.refetch} />;
  const isWaiting = (leftId !== undefined && !left.span) || (rightId !== undefined && !right.span);
  if (isWaiting) return <div aria-busy="true" />;
  const span = left.span ?? right.span;
  if (!span) return null;
  return (
    <div className="span-diff">
      <header className="span-title">
        <KindMark kind={span.spanKind} />
        <h2 className="clip">{span.name}</h2>
        {(!left.span || !right.span) && <span className="muted">Only in {left.span ? 'A' : 'B'}</span>}
      </header>
      <div className="compare-figures">
        {left.span && <Figures letter="A" span={left.span} />}
        {right.span && <Figures letter="B" span={right.span} against={left.span} />}
      </div>
      <TextDiff title="Input" left={left.input} right={right.input} />
      <TextDiff title="Output" left={left.output} right={right.output} />
      <JsonDiff noun="Attributes" left={left.attributes} right={right.attributes} />
    </div>
  );
}

function useSpan(id: string | undefined) {
  const { data, failure, isStale, refetch } = useQuery(spanDetails, id === undefined ? undefined : { id });
  const span = id !== undefined && !isStale && data?.node.__typename === 'Span' ? data.node : undefined;
  return useMemo(() => {
    const attributes = (span && parseAttributes(span.attributes)) ?? {};
    return {
      span,
      failure,
      refetch,
      attributes,
      input: span && said(attributes, 'llm.input_messages', span.input?.value),
      output: span && said(attributes, 'llm.output_messages', span.output?.value ?? span.statusMessage),
    };
  }, [span, failure, refetch]);
}

/** Messages with their roles if there are any, otherwise the value. */
function said(attributes: JsonObject, path: string, value: string | undefined): string {
  const messages = readMessages(at(attributes, path));
  if (messages.length === 0) return value ?? '';
  return messages.map((message) => `${message.role}:\n${toPlainText(message)}`).join('\n\n');
}

interface FiguresProps {
  readonly letter: 'A' | 'B';
  readonly span: SpanDetails;
  readonly against?: SpanDetails | undefined;
}

function Figures({ letter, span, against }: FiguresProps) {
  return (
    <div className="compare-head">
      <span className={`side-mark of-${letter === 'A' ? 'left' : 'right'}`}>{letter}</span>
      {span.statusCode === 'ERROR' ? (
        <span className="status-error">Error</span>
      ) : (
        <span className="muted">{span.statusCode === 'OK' ? 'OK' : 'No error'}</span>
      )}
      <Change label="Latency" now={span.latencyMs} before={against?.latencyMs} format={formatLatency} />
      {(span.tokenCountTotal ?? against?.tokenCountTotal) != null && (
        <Change label="Tokens" now={span.tokenCountTotal} before={against?.tokenCountTotal} format={formatCount} />
      )}
      {span.costSummary && (
        <Change
          label="Cost"
          now={span.costSummary.total.cost}
          before={against?.costSummary?.total.cost}
          format={formatCost}
        />
      )}
    </div>
  );
}
