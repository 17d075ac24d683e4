import { useState } from 'react';
import { DownloadButton } from '../otlp/DownloadButton.tsx';
import { useAccess } from '../../../access/use-access.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { AddToDatasetButton } from '../../../components/cases/AddToDatasetButton.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { lazy } from '../../../components/lazy.tsx';
import { Link } from '../../../router/Link.tsx';
import { replayPath } from '../../playground/state/paths.ts';
import type { SpanDetails } from './span-details.ts';

const CompareWith = lazy(async () => (await import('../CompareWith.tsx')).CompareWith);

/** Actions on a span. */
export function SpanTools({ projectId, span }: { readonly projectId: string; readonly span: SpanDetails }) {
  const [isComparing, setComparing] = useState(false);
  const { may } = useAccess();
  return (
    <span className="row span-tools">
      <code className="muted span-id">{span.spanId}</code>
      <button
        type="button"
        className="button bare small icon-only"
        aria-label="Compare the span"
        title="Compare with another span"
        onClick={() => setComparing(true)}
      >
        <Icon name="compare" size={13} />
      </button>
      {span.spanKind === 'llm' && may('member') && (
        <Link
          className="button bare small"
          to={replayPath(span.id)}
          title="Edit the prompt of this call and run it again in the playground"
        >
          <Icon name="playground" size={13} /> Replay
        </Link>
      )}
      <AddToDatasetButton isBare label="Add the span to a dataset" projectId={projectId} spans={[span.id]} />
      <DownloadButton projectId={projectId} traceId={span.context.traceId} spanId={span.spanId} />
      <CopyButton text={span.spanId} label="Copy span ID" />
      {isComparing && (
        <CompareWith
          projectId={projectId}
          kind="span"
          nodeId={span.id}
          name={span.name}
          onClose={() => setComparing(false)}
        />
      )}
    </span>
  );
}
