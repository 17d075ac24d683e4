import { Card } from '../../components/values/Card.tsx';
import { JsonView } from '../../components/values/JsonView.tsx';
import { TextView } from '../../components/values/TextView.tsx';
import { formatFloat } from '../../format/numbers.ts';
import type { RetrievedDocument } from './open-inference.ts';

interface DocumentsProps {
  readonly title: string;
  readonly documents: readonly RetrievedDocument[];
  readonly isFoldedAtFirst?: boolean;
}

/** Documents in the order in which they came back, with their scores. */
export function Documents({ title, documents, isFoldedAtFirst }: DocumentsProps) {
  return (
    <Card title={`${title}, ${documents.length}`} isFoldedAtFirst={isFoldedAtFirst ?? false}>
      <ol>
        {documents.map((document, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a document's rank is its name
          <li className="document" key={index}>
            <header>
              <span>{index + 1}</span>
              {document.id !== undefined && <code className="clip">{document.id}</code>}
              <span className="grow" />
              {document.score !== undefined && <Score value={document.score} />}
            </header>
            <TextView text={document.content} />
            {document.metadata !== undefined && document.metadata !== null && (
              <JsonView value={document.metadata} openDepth={1} />
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** A bar where the score is a share; other scales have no ends. */
function Score({ value }: { readonly value: number }) {
  return (
    <span className="score">
      {value >= 0 && value <= 1 && <meter min={0} max={1} value={value} aria-label="Score" />}
      {formatFloat(value)}
    </span>
  );
}
