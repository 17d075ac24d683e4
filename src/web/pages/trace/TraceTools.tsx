import { useState } from 'react';
import { DownloadButton } from './otlp/DownloadButton.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { AddToDatasetButton } from '../../components/cases/AddToDatasetButton.tsx';
import { Icon } from '../../components/Icon.tsx';
import { lazy } from '../../components/lazy.tsx';
import type { SpanTree } from './tree/span-tree.ts';
import type { Trace } from './use-trace.ts';

const CompareWith = lazy(async () => (await import('./CompareWith.tsx')).CompareWith);

interface TraceToolsProps {
  readonly projectId: string;
  readonly trace: Trace;
  readonly tree: SpanTree;
}

/** Actions on a trace. */
export function TraceTools({ projectId, trace, tree }: TraceToolsProps) {
  const [isComparing, setComparing] = useState(false);
  const [root] = tree.roots;
  return (
    <span className="row trace-tools">
      <button
        type="button"
        className="button bare small icon-only"
        aria-label="Compare the trace"
        title="Compare with another trace"
        onClick={() => setComparing(true)}
      >
        <Icon name="compare" size={13} />
      </button>
      {root !== undefined && (
        <AddToDatasetButton
          isBare
          label="Add the trace to a dataset"
          projectId={projectId}
          spans={[tree.nodeId(root)]}
        />
      )}
      <DownloadButton projectId={projectId} traceId={trace.traceId} />
      <CopyButton text={trace.traceId} label={`Copy trace ID ${trace.traceId}`} />
      {isComparing && (
        <CompareWith
          projectId={projectId}
          kind="trace"
          nodeId={trace.id}
          name={tree.title() ?? ''}
          onClose={() => setComparing(false)}
        />
      )}
    </span>
  );
}
