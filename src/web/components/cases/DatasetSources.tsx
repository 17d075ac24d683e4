import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { invalidate } from '../../data/query-client.ts';
import { send, toFailure } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { useQuery } from '../../data/use-query.ts';
import { shownName } from '../../format/names.ts';
import { formatCount } from '../../format/numbers.ts';
import { Link } from '../../router/Link.tsx';
import { ConfirmDialog } from '../Dialog.tsx';
import { FailureLine } from '../Failure.tsx';
import { Icon } from '../Icon.tsx';
import { toast } from '../toasts.tsx';
import { addNewMatches } from './add-cases.ts';
import {
  addSpanExample,
  deleteDatasetSource,
  type SourcesOfDatasetData,
  sourcesOfDataset,
  sourcesOfProject,
} from './generated/cases.ts';
import { SPAN_COUNT_MAX } from './read-listed-ids.ts';
import { describeRepeated } from './span-mapping.ts';
import './sources.css';

type Source = Extract<SourcesOfDatasetData['node'], { readonly __typename: 'Dataset' }>['sources'][number];

/** Saved sources of a dataset, with their new matches. Renders nothing without one. */
export function DatasetSources({ datasetId }: { readonly datasetId: string }) {
  const { data, failure, refetch } = useQuery(sourcesOfDataset, { id: datasetId });
  const sources = data?.node.__typename === 'Dataset' ? data.node.sources : [];
  if (failure) return <FailureLine failure={failure} onRetry={refetch} />;
  return (
    <SourceList sources={sources}>
      {({ project }) => (
        <>
          from{' '}
          <Link className="clip" to={`/projects/${encodeURIComponent(project.id)}/spans`}>
            {shownName(project.name)}
          </Link>
        </>
      )}
    </SourceList>
  );
}

/** Sources that the filters of a project feed. Renders nothing without one. */
export function ProjectSources({ projectId }: { readonly projectId: string }) {
  const { data, failure, refetch } = useQuery(sourcesOfProject, { id: projectId });
  const sources = data?.node.__typename === 'Project' ? data.node.datasetSources : [];
  if (failure) return <FailureLine failure={failure} onRetry={refetch} />;
  return (
    <SourceList sources={sources}>
      {({ dataset }) => (
        <>
          to{' '}
          <Link className="clip" to={`/datasets/${encodeURIComponent(dataset.id)}/examples`}>
            {shownName(dataset.name)}
          </Link>
        </>
      )}
    </SourceList>
  );
}

interface SourceListProps {
  readonly sources: readonly Source[];
  /** Renders the other end of a source. */
  readonly children: (source: Source) => ReactNode;
}

function SourceList({ sources, children }: SourceListProps) {
  const [toDelete, setToDelete] = useState<Source>();
  if (sources.length === 0) return null;
  return (
    <section className="sources" aria-label="Sources">
      <ul>
        {sources.map((source) => (
          <SourceRow key={source.id} source={source} onDelete={() => setToDelete(source)}>
            {children(source)}
          </SourceRow>
        ))}
      </ul>
      {toDelete && <DeleteSource source={toDelete} onClose={() => setToDelete(undefined)} />}
    </section>
  );
}

interface SourceRowProps {
  readonly source: Source;
  readonly onDelete: () => void;
  readonly children: ReactNode;
}

function SourceRow({ source, onDelete, children }: SourceRowProps) {
  const { id, name, filter, newMatchCount, dataset } = source;
  const { may } = useAccess();
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const isCut = newMatchCount >= SPAN_COUNT_MAX;
  const add = async () => {
    const controller = new AbortController();
    running.current = controller;
    setProgress(0);
    setProblem(undefined);
    try {
      const result = await addNewMatches(id, { signal: controller.signal, onProgress: setProgress });
      const repeated = describeRepeated(result.repeated_span_count, result.repeated_content_count);
      const rest = repeated ? ` Left out: ${repeated}.` : '';
      toast(`Added ${formatCount(result.added_count)} examples to ${dataset.name}.${rest}`);
      void invalidate();
    } catch (error) {
      if (!controller.signal.aborted) setProblem(toFailure(error).message);
    }
    setProgress(undefined);
  };
  return (
    <li className="row">
      <Icon name="filter" size={13} />
      <strong className="clip" dir="auto" title={name}>
        {shownName(name)}
      </strong>
      <code className="clip muted grow" title={filter}>
        {filter === '' ? 'all spans' : filter}
      </code>
      <span className="source-end clip">{children}</span>
      {problem !== undefined && <span className="error-text">{problem}</span>}
      {progress !== undefined ? (
        <>
          <span className="muted" role="status">
            {formatCount(progress)} of {formatCount(newMatchCount)}
          </span>
          <button type="button" className="button small" onClick={() => running.current?.abort()}>
            Stop
          </button>
        </>
      ) : newMatchCount === 0 ? (
        <span className="muted">No new matches</span>
      ) : may(addSpanExample) ? (
        <button type="button" className="button small primary" onClick={() => void add()}>
          Add {formatCount(newMatchCount)}
          {isCut ? '+' : ''} new {newMatchCount === 1 ? 'match' : 'matches'}
        </button>
      ) : (
        <span className="muted">{formatCount(newMatchCount)} new matches</span>
      )}
      {may(deleteDatasetSource) && progress === undefined && (
        <button
          type="button"
          className="button bare small icon-only"
          aria-label={`Delete the source ${name}`}
          title="Delete the source"
          onClick={onDelete}
        >
          <Icon name="trash" size={12} />
        </button>
      )}
    </li>
  );
}

function DeleteSource({ source: { id, name }, onClose }: { readonly source: Source; readonly onClose: () => void }) {
  const { isBusy, problem, run } = useChange();
  return (
    <ConfirmDialog
      title={`Delete the source ${name}?`}
      isOpen
      onClose={onClose}
      consequence="This deletes the source for all users. The examples that it has added stay in the dataset."
      action="Delete source"
      isBusy={isBusy}
      problem={problem}
      onConfirm={() =>
        void run(
          () => send(deleteDatasetSource, { id }),
          () => {
            toast(`${name} deleted.`);
            onClose();
          },
        )
      }
    />
  );
}
