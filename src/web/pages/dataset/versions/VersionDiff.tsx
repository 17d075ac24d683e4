import { useMemo, useState } from 'react';
import type { JsonObject } from '../../../../semconv/read-open-inference.ts';
import { JsonDiff } from '../../../components/diff/JsonDiff.tsx';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { RequestFailure, send } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { useRows } from '../../../data/use-rows.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { setSearch } from '../../../router/location.ts';
import { shortId } from '../examples/example-columns.tsx';
import { changedExample, type VersionChangesData, versionChanges, versionDiff } from './generated/versions.ts';
import type { Version } from './version.ts';

type Change = Extract<
  VersionChangesData['node'],
  { readonly __typename: 'Dataset' }
>['versionDiff']['changes']['rows'][number];
type Kind = Change['kind'];

interface VersionDiffProps {
  readonly datasetId: string;
  readonly versions: readonly Version[];
  /** Null for the first version, which has no earlier one. */
  readonly baseId: string | null;
  readonly versionId: string;
}

const KINDS: readonly (readonly [Kind, string])[] = [
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['removed', 'Removed'],
];

/** Examples that differ between two versions, which are part of the address. */
export function VersionDiff({ datasetId, versions, baseId, versionId }: VersionDiffProps) {
  const [kind, setKind] = useState<Kind>();
  const base = baseId ?? versionId;
  const { data, failure, refetch } = useQuery(versionDiff, { id: datasetId, base, version: versionId });
  const counts = data?.node.__typename === 'Dataset' ? data.node.versionDiff : undefined;
  return (
    <section className="version-diff" aria-label="Difference">
      <header className="row version-pair">
        <VersionSelect label="From" versions={versions} value={base} onChange={(id) => setSearch({ base: id })} />
        <Icon name="right" size={14} />
        <VersionSelect label="To" versions={versions} value={versionId} onChange={(id) => setSearch({ compare: id })} />
        <button
          type="button"
          className="button small icon-only"
          aria-label="Swap the versions"
          title="Swap the versions"
          onClick={() => setSearch({ base: versionId, compare: base })}
        >
          <Icon name="swap" size={13} />
        </button>
      </header>
      {failure && <Failure failure={failure} onRetry={refetch} />}
      {counts && (
        <div className="row version-counts" role="group" aria-label="Kinds of changes">
          {KINDS.map(([each, label]) => (
            <button
              key={each}
              type="button"
              className="button small"
              data-kind={each}
              aria-pressed={kind === each}
              onClick={() => setKind(kind === each ? undefined : each)}
            >
              {label} <strong>{formatCount(counts[each])}</strong>
            </button>
          ))}
          <span className="muted">{formatCount(counts.unchanged)} unchanged</span>
        </div>
      )}
      {counts && counts.added + counts.changed + counts.removed === 0 ? (
        <p className="muted">
          {baseId === null ? 'This is the first version.' : 'Both versions have the same examples.'}
        </p>
      ) : (
        <Changes
          key={`${base} ${versionId} ${kind}`}
          datasetId={datasetId}
          base={base}
          version={versionId}
          kind={kind}
        />
      )}
    </section>
  );
}

interface VersionSelectProps {
  readonly label: string;
  readonly versions: readonly Version[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function VersionSelect({ label, versions, value, onChange }: VersionSelectProps) {
  const { minute } = useTimeFormat();
  return (
    <select className="input" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {!versions.some(({ id }) => id === value) && <option value={value}>An older version</option>}
      {versions.map(({ id, createdAt, description }) => (
        <option key={id} value={id}>
          {minute(createdAt)} {description?.slice(0, 60)}
        </option>
      ))}
    </select>
  );
}

interface ChangesProps {
  readonly datasetId: string;
  readonly base: string;
  readonly version: string;
  readonly kind: Kind | undefined;
}

const changeId = ({ example }: Change): string => example.id;

function Changes({ datasetId, base, version, kind }: ChangesProps) {
  const list = useRows(
    [versionChanges.name, datasetId, base, version, kind],
    async (after, signal) => {
      const variables = { id: datasetId, base, version, after: after ?? null, kinds: kind ? [kind] : null };
      const { node } = await send(versionChanges, variables, signal);
      if (node.__typename !== 'Dataset') throw new RequestFailure('notFound', 'The dataset does not exist.');
      const { rows, next } = node.versionDiff.changes;
      return { rows, next: next ?? undefined };
    },
    changeId,
  );
  return (
    <>
      <ul className="version-changes" aria-busy={list.isLoading}>
        {list.rows.map((change) => (
          <ChangeItem key={change.example.id} change={change} base={base} version={version} />
        ))}
      </ul>
      {list.failure && <Failure failure={list.failure} onRetry={list.retry} />}
      {!list.isComplete && list.rows.length > 0 && (
        <button type="button" className="button" disabled={list.isLoading} onClick={list.loadMore}>
          Show more changes
        </button>
      )}
    </>
  );
}

interface ChangeItemProps {
  readonly change: Change;
  readonly base: string;
  readonly version: string;
}

function ChangeItem({ change: { example, kind, fields }, base, version }: ChangeItemProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <button type="button" className="version-change" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="right" size={12} />
        <span className="version-kind" data-kind={kind}>
          {kind}
        </span>
        <span className="clip" dir="auto">
          {example.externalId ?? shortId(example.id)}
        </span>
        {kind === 'changed' && <span className="muted">{fields.join(', ')}</span>}
      </button>
      {isOpen && <Contents exampleId={example.id} base={base} version={version} />}
    </li>
  );
}

function Contents({
  exampleId,
  base,
  version,
}: {
  readonly exampleId: string;
  readonly base: string;
  readonly version: string;
}) {
  const { data, failure, refetch } = useQuery(changedExample, { id: exampleId, base, version });
  const node = data?.node.__typename === 'DatasetExample' ? data.node : undefined;
  const sides = useMemo(() => node && ([toObject(node.before), toObject(node.after)] as const), [node]);
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  if (!sides) return <div className="skeleton" style={{ height: 60 }} />;
  return <JsonDiff noun="Values" left={sides[0]} right={sides[1]} labels={{ left: 'From', right: 'To' }} />;
}

const toObject = (texts: { input: string; output: string; metadata: string } | null): JsonObject =>
  texts === null
    ? {}
    : { input: JSON.parse(texts.input), output: JSON.parse(texts.output), metadata: JSON.parse(texts.metadata) };
