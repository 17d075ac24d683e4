import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Failure } from '../../../components/Failure.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { InputField } from '../../../components/fields.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { toast } from '../../../components/toasts.tsx';
import { RequestFailure, send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useRows } from '../../../data/use-rows.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { setSearch, useLocation } from '../../../router/location.ts';
import { type DatasetTabProps, tabPath } from '../dataset-tabs.ts';
import { datasetVersions, restoreVersion } from './generated/versions.ts';
import { VersionDiff } from './VersionDiff.tsx';
import type { Version } from './version.ts';
import './versions.css';

const versionId = ({ id }: Version): string => id;

async function readVersions(id: string, after: string | undefined, signal: AbortSignal) {
  const { node } = await send(datasetVersions, { id, after: after ?? null }, signal);
  if (node.__typename !== 'Dataset') throw new RequestFailure('notFound', 'The dataset does not exist.');
  const { hasNextPage, endCursor } = node.versions.pageInfo;
  return {
    rows: node.versions.edges.map((edge) => edge.node),
    next: hasNextPage ? (endCursor ?? undefined) : undefined,
  };
}

/** Versions of a dataset, newest first, with the difference of any two. */
export function VersionsTab({ dataset, onChange }: DatasetTabProps) {
  const { search } = useLocation();
  const list = useRows(
    [datasetVersions.name, dataset.id, 'list'],
    (after, signal) => readVersions(dataset.id, after, signal),
    versionId,
  );
  const { rows } = list;
  const [restored, setRestored] = useState<Version>();
  const { may } = useAccess();
  const latest = rows[0];
  const compared = search.get('compare');
  const base = search.get('base');
  const showDiff = (version: Version, index: number) =>
    setSearch({ compare: version.id, base: rows[index + 1]?.id ?? null });
  if (list.failure && rows.length === 0) return <Failure failure={list.failure} onRetry={list.retry} />;
  return (
    <div className="versions">
      <section className="versions-list" aria-label="Versions">
        {rows.length === 0 && !list.isLoading && (
          <p className="empty">No versions yet. The first example that is added makes the first version.</p>
        )}
        <ol>
          {rows.map((version, index) => (
            <VersionItem
              key={version.id}
              datasetId={dataset.id}
              version={version}
              isLatest={version === latest}
              isOpen={version.id === compared}
              onDiff={rows.length > 1 ? () => showDiff(version, index) : undefined}
              onRestore={may(restoreVersion) && version !== latest ? () => setRestored(version) : undefined}
            />
          ))}
        </ol>
        {!list.isComplete && rows.length > 0 && (
          <button type="button" className="button" disabled={list.isLoading} onClick={list.loadMore}>
            Show older versions
          </button>
        )}
      </section>
      {compared !== null && rows.length > 0 && (
        <VersionDiff datasetId={dataset.id} versions={rows} baseId={base} versionId={compared} />
      )}
      {compared === null && rows.length > 1 && (
        <p className="empty versions-hint">Choose “Changes” of a version to see what it changed, or compare any two.</p>
      )}
      {restored && (
        <Restore
          datasetId={dataset.id}
          version={restored}
          onClose={() => setRestored(undefined)}
          onDone={() => {
            setRestored(undefined);
            toast('Restored as a new version.');
            void list.reread();
            onChange();
          }}
        />
      )}
    </div>
  );
}

interface VersionItemProps {
  readonly datasetId: string;
  readonly version: Version;
  readonly isLatest: boolean;
  readonly isOpen: boolean;
  readonly onDiff: (() => void) | undefined;
  readonly onRestore: (() => void) | undefined;
}

function VersionItem({ datasetId, version, isLatest, isOpen, onDiff, onRestore }: VersionItemProps) {
  const { id, description, createdAt, exampleCount, user } = version;
  const { short } = useTimeFormat();
  const examples = `${tabPath(datasetId, 'examples')}${isLatest ? '' : `?version=${encodeURIComponent(id)}`}`;
  return (
    <li aria-current={isOpen}>
      <div className="version-title">
        <strong className="clip" dir="auto" title={description ?? undefined}>
          {description || 'No description'}
        </strong>
        {isLatest && <span className="version-mark">latest</span>}
      </div>
      <div className="muted">
        {short(createdAt)} · {user?.username ?? 'no author'} · {formatCount(exampleCount)}{' '}
        {exampleCount === 1 ? 'example' : 'examples'}
      </div>
      <div className="row version-actions">
        {onDiff && (
          <button type="button" className="button small" aria-pressed={isOpen} onClick={onDiff}>
            <Icon name="compare" size={12} /> Changes
          </button>
        )}
        <Link className="button small" to={examples}>
          <Icon name="list" size={12} /> Examples
        </Link>
        {onRestore && (
          <button type="button" className="button small" onClick={onRestore}>
            <Icon name="refresh" size={12} /> Restore
          </button>
        )}
      </div>
    </li>
  );
}

interface RestoreProps {
  readonly datasetId: string;
  readonly version: Version;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Restore({ datasetId, version, onClose, onDone }: RestoreProps) {
  const { short } = useTimeFormat();
  const [description, setDescription] = useState(`Restored from ${short(version.createdAt)}`);
  const change = useChange();
  const submit = () =>
    void change.run(
      () =>
        send(restoreVersion, {
          input: { datasetId, datasetVersionId: version.id, versionDescription: description },
        }),
      onDone,
    );
  return (
    <FormDialog
      title="Restore this version"
      change={change}
      action="Restore version"
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        A new version gets the {formatCount(version.exampleCount)} examples of {short(version.createdAt)}. No version is
        deleted. Restored examples belong to no split.
      </p>
      <InputField label="Description" value={description} onChange={setDescription} />
    </FormDialog>
  );
}
