import { useCallback, useEffect, useMemo } from 'react';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Link } from '../../router/Link.tsx';
import { navigate, useLocation, withSearch } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { tabPath } from '../dataset/dataset-tabs.ts';
import { experimentsPath } from '../playground/state/address.ts';
import { VARIANT_COUNT_MAX } from '../playground/state/draft.ts';
import { EXPERIMENT_COUNT_MAX, readAddress, type View, withExperiments, withOwnNames } from './address.ts';
import { MissingExperiments, NothingChosen, TooManyExperiments, UnknownView } from './ComparisonStates.tsx';
import { AddExperiment } from './choice/AddExperiment.tsx';
import { ExperimentBar } from './choice/ExperimentBar.tsx';
import { ExportMenu } from './export/ExportMenu.tsx';
import { ComparisonGrid } from './grid/ComparisonGrid.tsx';
import { RunList } from './list/RunList.tsx';
import { sortOf } from './load-compared-rows.ts';
import { Summary } from './summary/Summary.tsx';
import { useCompared, useComparison } from './use-compared.ts';
import '../project/project.css';
import './comparison.css';

const VIEW_NAMES: readonly (readonly [View, string])[] = [
  ['metrics', 'Summary'],
  ['grid', 'Grid'],
  ['list', 'List'],
];

/** Compares experiments of a dataset. The address has the whole state of the page. */
export function ComparisonPage({ params }: { readonly params: RouteParams }) {
  const datasetId = params.datasetId!;
  const { path, search } = useLocation();
  const own = withOwnNames(search);
  useEffect(() => {
    if (own) navigate(`${path}?${own}`, { replaces: true });
  }, [own, path]);
  const address = useMemo(() => readAddress(search), [search]);
  const { experimentIds, view } = address;
  const isTooMany = experimentIds.length > EXPERIMENT_COUNT_MAX;
  const { dataset, compared, isKnown, failure, refetch } = useCompared(
    datasetId,
    isTooMany ? experimentIds.slice(0, EXPERIMENT_COUNT_MAX) : experimentIds,
  );
  const missing = isKnown ? compared.filter(({ experiment }) => !experiment) : [];
  const isReady = isKnown && missing.length === 0 && !isTooMany;
  // The server knows the prompts of the experiments that it ran.
  const playable = compared
    .filter(({ experiment }) => experiment?.job?.isEvaluationOnly === false)
    .slice(0, VARIANT_COUNT_MAX)
    .map(({ id }) => id);
  // Does not wait for the experiments, of which none is missing as a rule.
  const query = useComparison(address, !isTooMany && missing.length === 0);
  const choose = (ids: readonly string[]) => navigate(`${path}?${withExperiments(search, ids)}`);
  const isGone = query.failure?.kind === 'notFound';
  // An experiment was deleted while the page was open.
  const onGone = useCallback(() => void refetch(), [refetch]);
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone, onGone]);
  const body = () => {
    if (failure) return <Failure failure={failure} onRetry={refetch} />;
    if (isTooMany) {
      const keep = () => choose(experimentIds.slice(0, EXPERIMENT_COUNT_MAX));
      return <TooManyExperiments count={experimentIds.length} onKeep={keep} />;
    }
    if (!dataset || !isKnown) return <div className="page-body" aria-busy="true" />;
    if (missing.length > 0) {
      const rest = compared.filter(({ experiment }) => experiment).map(({ id }) => id);
      return <MissingExperiments count={missing.length} onRemove={() => choose(rest)} />;
    }
    if (view === undefined) return <UnknownView view={search.get('view') ?? ''} />;
    if (compared.length === 0 || (compared.length === 1 && view !== 'list')) {
      return (
        <NothingChosen datasetId={datasetId} count={compared.length}>
          <AddExperiment datasetId={datasetId} chosen={experimentIds} onAdd={(id) => choose([...experimentIds, id])} />
        </NothingChosen>
      );
    }
    const shared = { dataset, compared };
    const { comparison } = query;
    return (
      <FailureBoundary name={VIEW_NAMES.find(([id]) => id === view)![1]} key={view}>
        {view === 'metrics' ? (
          <Summary {...shared} query={query} comparison={comparison} groupKey={address.groupKey} />
        ) : view === 'grid' ? (
          <ComparisonGrid
            {...shared}
            address={address}
            comparison={comparison ?? (query.failure && null)}
            onGone={onGone}
          />
        ) : (
          <RunList compared={compared} />
        )}
      </FailureBoundary>
    );
  };
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Datasets', to: '/datasets' },
          { label: dataset?.name ?? '…', to: tabPath(datasetId, 'experiments') },
          { label: 'Compare' },
        ]}
      >
        {isReady && playable.length > 0 && (
          <Link to={experimentsPath(playable)} className="button">
            <Icon name="playground" size={14} /> Open in the playground
          </Link>
        )}
        {isReady && compared.length > 1 && <ExportMenu address={address} sort={sortOf(address)} />}
      </PageHeader>
      <div className="comparison-head">
        <ExperimentBar datasetId={datasetId} compared={compared} onChange={choose} />
        <nav className="tabs" aria-label="Views of the comparison">
          {VIEW_NAMES.map(([id, label]) => (
            <Link
              key={id}
              to={withSearch({ view: id === 'grid' ? null : id, exampleId: null })}
              {...(id === view ? { 'aria-current': 'page' } : {})}
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
      {body()}
    </>
  );
}
