import { useEffect, useMemo, useState } from 'react';
import { Failure, FailureLine } from '../../../components/Failure.tsx';
import type { ColumnChoice } from '../../../components/table/column.ts';
import { isColumnChoice, NO_CHOICE } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/DataTable.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { useStoredState } from '../../../preferences/stored-state.ts';
import { navigate, setSearch, useLocation } from '../../../router/location.ts';
import { type ComparisonAddress, toFilterInput, withAll } from '../address.ts';
import { clearFilters } from '../ComparisonStates.tsx';
import type { Compared, ComparedDataset, ComparedRow, Comparison, Measure } from '../compared.ts';
import { SideBySide } from '../row/SideBySide.tsx';
import { FilterBar } from './FilterBar.tsx';
import { GridBar } from './GridBar.tsx';
import { gridColumns } from './grid-columns.tsx';
import { useComparedRows } from './use-compared-rows.ts';
import './grid.css';

export interface ViewProps {
  readonly dataset: ComparedDataset;
  readonly compared: readonly Compared[];
  readonly address: ComparisonAddress;
  /** Undefined while the measures load; null if they could not be read. */
  readonly comparison: Comparison | null | undefined;
  /** Called when an experiment no longer exists. */
  readonly onGone: () => void;
}

/** Three lines of text, one of scores and one of figures. */
const ROW_PX = 112;
const NO_ROWS: readonly never[] = [];
const exampleIdOf = (row: ComparedRow): string => row.exampleId;

/** Examples with the runs of all experiments beside each other. */
export function ComparisonGrid({ dataset, compared, address, comparison, onGone }: ViewProps) {
  const { path, search } = useLocation();
  const [stored, setStored] = useStoredState('columns.comparison', NO_CHOICE, isColumnChoice);
  const choice: ColumnChoice = { ...stored, hidden: address.flipped };
  const setChoice = (next: ColumnChoice) => {
    setStored({ ...next, hidden: [] });
    if (next.hidden !== choice.hidden)
      navigate(`${path}?${withAll(search, 'column', next.hidden)}`, { replaces: true });
  };
  const { sparse, count, block, failure, isLoading, isStale, retry } = useComparedRows(address);
  const isGone = failure?.kind === 'notFound';
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone, onGone]);
  const measures = useMemo(
    () => new Map((comparison?.measures ?? []).map((each): [string, Measure] => [each.key, each])),
    [comparison],
  );
  const [currentIndex, setCurrentIndex] = useState(0);
  const { content } = address;
  const columns = useMemo(
    () => gridColumns({ compared, measures, content, currentIndex }),
    [compared, measures, content, currentIndex],
  );
  const move = (step: number) => setCurrentIndex(Math.min(compared.length - 1, Math.max(0, currentIndex + step)));
  const isFiltered = toFilterInput(address.filter) !== undefined || address.splitIds.length > 0;
  return (
    <div className="comparison-grid">
      <GridBar
        dataset={dataset}
        address={address}
        sortedBy={block?.sortedBy}
        measures={comparison?.measures ?? []}
        columns={columns}
        choice={choice}
        onChoice={setChoice}
      />
      <FilterBar dataset={dataset} compared={compared} address={address} measures={comparison?.measures ?? []} />
      <div className="table-area">
        {failure && !count ? (
          <Failure
            failure={failure}
            onRetry={retry}
            onClearFilter={isFiltered ? () => setSearch({ runFilterCondition: null }) : undefined}
          />
        ) : (
          <DataTable
            label="Compared examples"
            columns={columns}
            choice={choice}
            onChoice={setChoice}
            rows={NO_ROWS}
            sparse={sparse}
            rowId={exampleIdOf}
            rowPx={ROW_PX}
            movesByLetters
            isBehind={address.exampleId !== undefined}
            openId={address.exampleId}
            onOpen={(row) => setSearch({ exampleId: row.exampleId })}
            onRowKey={(_row, key) => {
              const letter = key.toLowerCase();
              if (letter !== 'h' && letter !== 'l') return false;
              move(letter === 'h' ? -1 : 1);
              return true;
            }}
            isBusy={isLoading && (count === undefined || isStale)}
            foot={
              failure ? (
                <FailureLine failure={failure} onRetry={retry} />
              ) : (
                count !== undefined && count > 0 && <span>{formatCount(count)} examples</span>
              )
            }
            empty={<NoRows isFiltered={isFiltered} />}
          />
        )}
      </div>
      {address.exampleId !== undefined && (
        <SideBySide
          compared={compared}
          comparison={comparison ?? undefined}
          exampleId={address.exampleId}
          rows={sparse}
          startIndex={currentIndex}
        />
      )}
    </div>
  );
}

function NoRows({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <div className="empty">
      <h2>{isFiltered ? 'No example matches the filters' : 'The baseline has no examples'}</h2>
      <p>
        {isFiltered
          ? 'Remove a filter to see more examples.'
          : 'The dataset was empty when the experiment was created. Add examples, then run the experiment again.'}
      </p>
      {isFiltered && (
        <button type="button" className="button" onClick={clearFilters}>
          Clear the filters
        </button>
      )}
    </div>
  );
}
