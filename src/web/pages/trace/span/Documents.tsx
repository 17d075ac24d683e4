import { useState } from 'react';
import type { RetrievedDocument } from '../../../../semconv/read-open-inference.ts';
import { useAccess } from '../../../access/use-access.ts';
import { AnnotationChips } from '../../../components/annotations/AnnotationChips.tsx';
import {
  addDocumentAnnotation,
  annotationsOfDocuments,
} from '../../../components/annotations/generated/annotations.ts';
import { Icon } from '../../../components/Icon.tsx';
import { Card } from '../../../components/values/Card.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount, formatFloat } from '../../../format/numbers.ts';
import { setSearch, useLocation } from '../../../router/location.ts';
import { documentAside } from '../use-trace-pane.tsx';

interface DocumentsProps {
  readonly title: string;
  readonly documents: readonly RetrievedDocument[];
  readonly isCollapsedAtFirst?: boolean;
  /** ID of the span that retrieved the documents. Absent if they cannot be annotated. */
  readonly spanNodeId?: string;
}

/** Number of documents that are rendered at first. */
const DOCUMENT_COUNT = 50;

/** Documents in order of retrieval, with scores and annotations. */
export function Documents({ title, documents, isCollapsedAtFirst, spanNodeId }: DocumentsProps) {
  const { may } = useAccess();
  const [count, setCount] = useState(DOCUMENT_COUNT);
  const { search } = useLocation();
  const aside = search.get('aside');
  const { data } = useQuery(annotationsOfDocuments, spanNodeId === undefined ? undefined : { id: spanNodeId });
  const span = data?.node.__typename === 'Span' ? data.node : undefined;
  return (
    <Card title={`${title}, ${formatCount(documents.length)}`} isCollapsedAtFirst={isCollapsedAtFirst ?? false}>
      {span && span.metrics.length > 0 && <Metrics metrics={span.metrics} />}
      <ol>
        {documents.slice(0, count).map((document, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a document's rank is its name
          <li className="document" key={index} data-open={aside === documentAside(index) && spanNodeId !== undefined}>
            <header>
              <span>{index + 1}</span>
              {document.id !== undefined && <code className="clip">{document.id}</code>}
              <span className="grow" />
              <AnnotationChips
                annotations={span?.annotations.filter(({ documentPosition }) => documentPosition === index) ?? []}
                onOpen={() => setSearch({ aside: documentAside(index) }, { replaces: true })}
                countMax={3}
              />
              {spanNodeId !== undefined && may(addDocumentAnnotation) && (
                <button
                  type="button"
                  className="button bare small icon-only"
                  aria-label={`Annotate document ${index + 1}`}
                  title="Annotate the document"
                  onClick={() => setSearch({ aside: documentAside(index) }, { replaces: true })}
                >
                  <Icon name="edit" size={13} />
                </button>
              )}
              {document.score !== undefined && <Score value={document.score} />}
            </header>
            <TextView text={document.content} />
            {document.metadata !== undefined && document.metadata !== null && (
              <JsonView value={document.metadata} openDepth={1} />
            )}
          </li>
        ))}
      </ol>
      {documents.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count + 200)}>
          {formatCount(documents.length - count)} more
        </button>
      )}
    </Card>
  );
}

interface Metric {
  readonly evaluationName: string;
  readonly ndcg: number | null;
  readonly precision: number | null;
  readonly hit: number | null;
  readonly reciprocalRank: number | null;
}

/** Ranking metrics over the annotated documents. */
function Metrics({ metrics }: { readonly metrics: readonly Metric[] }) {
  return (
    <div className="retrieval-metrics">
      {metrics.map(({ evaluationName, ndcg, precision, hit, reciprocalRank }) => (
        <div className="parameters" key={evaluationName}>
          <strong>{evaluationName}</strong>
          {[
            ['nDCG', ndcg],
            ['precision', precision],
            ['hit', hit],
            ['reciprocal rank', reciprocalRank],
          ].map(([label, value]) => (
            <span className="chip" key={label}>
              <span>{label}</span>
              <span>{formatFloat(value as number | null)}</span>
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Score, with a bar if it is between 0 and 1. */
function Score({ value }: { readonly value: number }) {
  return (
    <span className="score">
      {value >= 0 && value <= 1 && <meter min={0} max={1} value={value} aria-label="Score" />}
      {formatFloat(value)}
    </span>
  );
}
