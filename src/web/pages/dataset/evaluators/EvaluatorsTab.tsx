import { useEffect } from 'react';
import { RequestFailure, send } from '../../../data/request.ts';
import { useRows } from '../../../data/use-rows.ts';
import { navigate, useLocation } from '../../../router/location.ts';
import { AddEvaluator } from '../../evaluators/AddEvaluator.tsx';
import { EvaluatorTable } from '../../evaluators/EvaluatorTable.tsx';
import { readEvaluatorSort } from '../../evaluators/evaluator-sort.ts';
import { newEvaluatorPath } from '../../evaluators/forms/form-paths.ts';
import { datasetEvaluatorList } from '../../evaluators/generated/evaluators.ts';
import type { DatasetTabProps } from '../dataset-tabs.ts';
import { datasetOf } from '../experiments/experiment-row.ts';
import { EvaluatorDetails } from './EvaluatorDetails.tsx';

const PAGE_COUNT = 50;

/** The evaluators of a dataset, or one of them. */
export function EvaluatorsTab({ dataset, itemId }: DatasetTabProps) {
  if (itemId !== undefined) return <EvaluatorDetails key={itemId} datasetId={dataset.id} evaluatorId={itemId} />;
  return <EvaluatorList datasetId={dataset.id} />;
}

function EvaluatorList({ datasetId }: { readonly datasetId: string }) {
  const { search: query } = useLocation();
  const search = query.get('search') ?? '';
  const sort = readEvaluatorSort(query.get('sort'));
  const load = async (after: string | undefined, signal: AbortSignal) => {
    const filter = search === '' ? null : ({ col: 'name', value: search } as const);
    const variables = { id: datasetId, first: PAGE_COUNT, after: after ?? null, sort, filter };
    const dataset = datasetOf(await send(datasetEvaluatorList, variables, signal));
    if (!dataset) throw new RequestFailure('notFound', 'The dataset does not exist any more.');
    const { edges, pageInfo } = dataset.datasetEvaluators;
    return {
      rows: edges.map(({ node }) => node),
      next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    };
  };
  const list = useRows([datasetEvaluatorList.name, datasetId, search, sort], load, ({ id }) => id);
  const wanted = query.has('createLlmEvaluator') ? 'llm' : query.has('createCodeEvaluator') ? 'code' : undefined;
  useEffect(() => {
    if (wanted) navigate(newEvaluatorPath(datasetId, wanted), { replaces: true });
  }, [datasetId, wanted]);
  return (
    <EvaluatorTable
      list={list}
      rows={list.rows}
      hasDatasets={false}
      search={search}
      sort={sort}
      empty={
        <>
          <h2>No evaluators yet</h2>
          <p>
            An evaluator scores the runs of experiments: a model that reads a prompt of yours, code of yours, or a
            built-in rule that compares texts or JSON.
          </p>
          <AddEvaluator datasetId={datasetId} />
        </>
      }
    >
      {list.rows.length > 0 && <AddEvaluator datasetId={datasetId} />}
    </EvaluatorTable>
  );
}
