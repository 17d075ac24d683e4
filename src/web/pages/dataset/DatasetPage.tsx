import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { LabelChips } from '../../components/labels/LabelChips.tsx';
import { useCurrentInView } from '../../components/use-current-in-view.ts';
import { formatCount } from '../../format/numbers.ts';
import { Link } from '../../router/Link.tsx';
import { navigate } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { useVisit } from '../../shell/visits.ts';
import { DatasetMenu } from '../datasets/DatasetMenu.tsx';
import { NotFoundPage } from '../not-found/NotFoundPage.tsx';
import { useDatasetHead } from './dataset-head.ts';
import { type DatasetTab, tabPath } from './dataset-tabs.ts';
import { TABS } from './tab-list.ts';
import './dataset.css';

/** A dataset: its experiments, examples, evaluators, metrics and versions. */
export function DatasetPage({ params }: { readonly params: RouteParams }) {
  const datasetId = params.datasetId!;
  const tab = params.tab === undefined ? TABS[0] : TABS.find(({ id }) => id === params.tab);
  if (!tab) return <NotFoundPage />;
  return <Dataset key={datasetId} datasetId={datasetId} tab={tab} itemId={params.itemId} />;
}

interface DatasetProps {
  readonly datasetId: string;
  readonly tab: DatasetTab;
  readonly itemId: string | undefined;
}

function Dataset({ datasetId, tab: { id: tabId, label, Tab }, itemId }: DatasetProps) {
  const { dataset, failure, refetch } = useDatasetHead(datasetId);
  const path = tabPath(datasetId);
  const nav = useCurrentInView(`${tabId} ${dataset !== undefined}`);
  useVisit(dataset && { kind: 'dataset', path, label: dataset.name }, path, failure);
  const counts = new Map([
    ['experiments', dataset?.experimentCount],
    ['examples', dataset?.exampleCount],
  ]);
  return (
    <>
      <PageHeader crumbs={[{ label: 'Datasets', to: '/datasets' }, { label: dataset?.name ?? '…' }]}>
        {dataset && (
          <>
            <LabelChips labels={dataset.labels} />
            <DatasetMenu
              dataset={dataset}
              onChanged={() => void refetch()}
              onDeleted={() => navigate('/datasets', { replaces: true })}
            />
          </>
        )}
      </PageHeader>
      {failure ? (
        <Failure failure={failure} onRetry={refetch} />
      ) : (
        <div className="dataset">
          <div className="dataset-head">
            {dataset?.description && (
              <p className="muted clip" dir="auto" title={dataset.description}>
                {dataset.description}
              </p>
            )}
            <nav className="tabs" aria-label="Views of the dataset" ref={nav}>
              {TABS.map(({ id, label: name }) => (
                <Link key={id} to={tabPath(datasetId, id)} {...(id === tabId ? { 'aria-current': 'page' } : {})}>
                  {name}
                  <Count count={counts.get(id)} />
                </Link>
              ))}
            </nav>
          </div>
          {dataset && (
            <FailureBoundary name={label} key={tabId}>
              <Tab dataset={dataset} itemId={itemId} onChange={() => void refetch()} />
            </FailureBoundary>
          )}
        </div>
      )}
    </>
  );
}

function Count({ count }: { readonly count: number | undefined }) {
  if (count === undefined) return null;
  return <span className="muted dataset-count">{formatCount(count)}</span>;
}
