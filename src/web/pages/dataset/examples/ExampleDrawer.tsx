import { useState } from 'react';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { LabelChips } from '../../../components/labels/LabelChips.tsx';
import { Card, Switch } from '../../../components/values/Card.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { RequestFailure } from '../../../data/request.ts';
import { useQuery, useRead } from '../../../data/use-query.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { navigate } from '../../../router/location.ts';
import { useHotkeys } from '../../../shell/use-hotkeys.ts';
import { ExampleRuns } from './ExampleRuns.tsx';
import { examplePath, shortId } from './example-columns.tsx';
import { type ExampleList, loadRows, toScope } from './example-list.ts';
import { type ExampleContentData, exampleContent, exampleOffset } from './generated/examples.ts';
import { changedFields, FIELDS, type Field } from './pending-changes.ts';
import type { PendingChanges } from './pending-store.ts';
import '../../trace/drawer.css';

type Example = Extract<ExampleContentData['node'], { readonly __typename: 'DatasetExample' }>;

interface ExampleDrawerProps {
  readonly datasetId: string;
  readonly exampleId: string;
  readonly list: ExampleList;
  readonly pending: PendingChanges;
  readonly onEdit: ((row: Pick<Example, 'id' | 'externalId'>, path: readonly string[]) => void) | undefined;
  readonly onClose: () => void;
}

/** An example over the table: its content, source and runs. */
export function ExampleDrawer(props: ExampleDrawerProps) {
  const { datasetId, exampleId, list, onClose } = props;
  const { versionId } = list;
  const { data, failure, refetch } = useQuery(exampleContent, { id: exampleId, versionId });
  const example =
    data?.node.__typename === 'DatasetExample' && data.node.dataset.id === datasetId ? data.node : undefined;
  const order = useNeighbors(datasetId, exampleId, list);
  const step = (id: string | undefined) => id !== undefined && navigate(examplePath(datasetId, id), { replaces: true });
  useHotkeys({ j: () => step(order.next), k: () => step(order.previous), escape: onClose });
  const missing = failure ?? (data && !example ? NO_EXAMPLE : undefined);
  return (
    <aside className="trace-drawer example-drawer" aria-label="Example">
      <header className="drawer-head">
        <h2 className="clip grow" dir="auto">
          {example ? (example.externalId ?? shortId(example.id)) : 'Example'}
          {order.position !== undefined && <span className="muted example-position">{order.position}</span>}
        </h2>
        <button
          type="button"
          className="button small icon-only"
          aria-label="Previous example"
          title="Previous example (K)"
          disabled={order.previous === undefined}
          onClick={() => step(order.previous)}
        >
          <Icon name="up" size={13} />
        </button>
        <button
          type="button"
          className="button small icon-only"
          aria-label="Next example"
          title="Next example (J)"
          disabled={order.next === undefined}
          onClick={() => step(order.next)}
        >
          <Icon name="down" size={13} />
        </button>
        <button
          type="button"
          className="button small icon-only"
          aria-label="Close the example"
          title="Close (Esc)"
          onClick={onClose}
        >
          <Icon name="close" size={13} />
        </button>
      </header>
      <div className="example-body">
        {missing && <Failure failure={missing} onRetry={refetch} />}
        {!missing && !example && <div className="skeleton" style={{ height: 200 }} />}
        {!missing && example && <Body {...props} example={example} />}
      </div>
    </aside>
  );
}

const NO_EXAMPLE = new RequestFailure('notFound', 'The example does not exist in this dataset.');

function useNeighbors(datasetId: string, exampleId: string, list: ExampleList) {
  const { data } = useRead(
    [exampleOffset.name, datasetId, exampleId, toScope(list)],
    async (signal) => {
      const { send } = await import('../../../data/request.ts');
      const { node } = await send(exampleOffset, { id: datasetId, exampleId, ...toScope(list) }, signal);
      const at = node.__typename === 'Dataset' ? node.exampleOffset : null;
      if (at === null) return {};
      const { rows, count } = await loadRows(datasetId, { ...list, paths: [] }, Math.max(0, at - 1), 3, signal);
      const here = at === 0 ? 0 : 1;
      return { at, count, previous: at === 0 ? undefined : rows[0]?.id, next: rows[here + 1]?.id };
    },
    { keeps: false },
  );
  const { at, count, previous, next } = data ?? {};
  const position =
    at === undefined || count === undefined ? undefined : `${at + 1} of ${count.toLocaleString('en-US')}`;
  return { previous, next, position };
}

const LABELS: Readonly<Record<Field, string>> = { input: 'Input', output: 'Output', metadata: 'Metadata' };

function Body({ datasetId, list, pending, onEdit, example }: ExampleDrawerProps & { readonly example: Example }) {
  const [view, setView] = useState<'pretty' | 'json'>('pretty');
  const { full } = useTimeFormat();
  const { content } = example;
  const { collected } = pending;
  if (!content) {
    return (
      <p className="muted">
        {list.versionId === null
          ? 'The example was deleted. Earlier versions of the dataset still have it.'
          : 'This version does not have the example.'}
      </p>
    );
  }
  const changed = changedFields(collected, example.id, content);
  return (
    <>
      <div className="row example-facts">
        <Source example={example} />
        <LabelChips labels={example.datasetSplits} wraps />
        <span className="grow" />
        <span className="muted">Changed {full(content.updatedAt)}</span>
        <Switch
          label="Format"
          values={[
            ['pretty', 'Pretty'],
            ['json', 'JSON'],
          ]}
          value={view}
          onChange={setView}
        />
      </div>
      {collected.deleted.has(example.id) && <p className="error-text">This example will be deleted when you save.</p>}
      {FIELDS.map((field) => {
        const text = changed[field] ?? content[field];
        return (
          <Card
            key={field}
            title={LABELS[field]}
            copies={text}
            isCollapsedAtFirst={field === 'metadata' && text === '{}'}
            actions={
              <>
                {changed[field] !== undefined && <span className="example-state">edited</span>}
                {onEdit && (
                  <button type="button" className="button bare small" onClick={() => onEdit(example, [field])}>
                    <Icon name="edit" size={12} /> Edit
                  </button>
                )}
              </>
            }
          >
            {view === 'json' ? (
              <pre className="example-json mono">{text.slice(0, JSON_CHARS_MAX)}</pre>
            ) : (
              <Pretty text={text} />
            )}
          </Card>
        );
      })}
      <ExampleRuns datasetId={datasetId} exampleId={example.id} />
    </>
  );
}

/** A browser lays out this many characters without a pause. */
const JSON_CHARS_MAX = 200_000;

function Pretty({ text }: { readonly text: string }) {
  const value: unknown = JSON.parse(text);
  return <JsonView value={value} />;
}

function Source({ example }: { readonly example: Example }) {
  const { span, hasSource } = example;
  if (!span) {
    return (
      <span className="muted">
        {hasSource ? 'Made from a span that was deleted or that you may not see' : 'No source span'}
      </span>
    );
  }
  const path = `/projects/${encodeURIComponent(span.project.id)}/spans/${span.context.traceId}?selectedSpanNodeId=${encodeURIComponent(span.id)}`;
  return (
    <Link to={path}>
      <Icon name="tracing" size={13} /> {span.name || 'Source span'} in {span.project.name}
    </Link>
  );
}
