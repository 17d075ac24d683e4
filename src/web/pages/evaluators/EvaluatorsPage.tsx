import { useMemo } from 'react';
import { send } from '../../data/request.ts';
import { useRows } from '../../data/use-rows.ts';
import { useLocation } from '../../router/location.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { EvaluatorTable } from './EvaluatorTable.tsx';
import { toRows } from './evaluator-row.ts';
import { readEvaluatorSort } from './evaluator-sort.ts';
import { evaluatorList } from './generated/evaluators.ts';

const PAGE_COUNT = 50;

/** All evaluators with the datasets that use them. */
export function EvaluatorsPage() {
  const { search: query } = useLocation();
  const search = query.get('search') ?? '';
  const sort = readEvaluatorSort(query.get('sort'));
  const load = async (after: string | undefined, signal: AbortSignal) => {
    const filter = search === '' ? null : ({ col: 'name', value: search } as const);
    const { evaluators } = await send(evaluatorList, { first: PAGE_COUNT, after: after ?? null, sort, filter }, signal);
    return {
      rows: evaluators.edges.map(({ node }) => node),
      next: evaluators.pageInfo.hasNextPage ? (evaluators.pageInfo.endCursor ?? undefined) : undefined,
    };
  };
  const list = useRows([evaluatorList.name, search, sort], load, ({ id }) => id);
  const rows = useMemo(() => toRows(list.rows), [list.rows]);
  return (
    <>
      <PageHeader crumbs={[{ label: 'Evaluators' }]} />
      <EvaluatorTable
        list={list}
        rows={rows}
        hasDatasets
        search={search}
        sort={sort}
        empty={
          <>
            <h2>No evaluators yet</h2>
            <p>
              An evaluator scores the runs of experiments, and calls as they arrive. Add one on the tab Evaluators of a
              dataset.
            </p>
          </>
        }
      />
    </>
  );
}
