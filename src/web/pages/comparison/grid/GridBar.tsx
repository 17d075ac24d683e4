import { FilterField } from '../../../components/filter/FilterField.tsx';
import { ColumnsMenu } from '../../../components/table/ColumnsMenu.tsx';
import type { Column, ColumnChoice } from '../../../components/table/column.ts';
import { Switch } from '../../../components/values/Card.tsx';
import { setSearch } from '../../../router/location.ts';
import type { ComparisonAddress, Content, RowSort } from '../address.ts';
import type { ComparedDataset, ComparedRow, Measure } from '../compared.ts';
import { FIRST_MEASURE, sortOf } from '../load-compared-rows.ts';
import { SearchField } from './SearchField.tsx';

interface GridBarProps {
  readonly dataset: ComparedDataset;
  readonly address: ComparisonAddress;
  /** Key of the measure that sorts the rows. Null: none does. Undefined while the rows load. */
  readonly sortedBy: string | null | undefined;
  readonly measures: readonly Measure[];
  readonly columns: readonly Column<ComparedRow>[];
  readonly choice: ColumnChoice;
  readonly onChoice: (choice: ColumnChoice) => void;
}

const CONTENT_NAMES: readonly (readonly [Content, string])[] = [
  ['text', 'Text'],
  ['json', 'JSON'],
  ['diff', 'Diff'],
];

/** @param name Undefined while the rows load, whose response names the measure. */
function sortLabel(order: RowSort['order'], name: string | undefined, direction?: Measure['direction']): string {
  if (direction === 'NONE') return `Largest ${order === 'asc' ? 'decrease' : 'increase'} of ${name}`;
  return `Largest ${order === 'asc' ? 'regression' : 'improvement'}${name === undefined ? '' : ` on ${name}`}`;
}

/** Order, condition and appearance of the rows. */
export function GridBar({ dataset, address, sortedBy, measures, columns, choice, onChoice }: GridBarProps) {
  const sort = sortOf(address);
  const by = sort === 'none' ? null : sort.by === FIRST_MEASURE ? sortedBy : sort.by;
  const value = sort === 'none' || by === null ? 'position' : `${sort.order} ${by ?? ''}`;
  return (
    <div className="table-bar">
      <label className="row">
        <span className="muted bar-label">Sort</span>
        <select
          className="input sort-choice"
          aria-label="Sort by"
          value={value}
          onChange={({ target }) => {
            const chosen = target.value;
            const [order, key] =
              chosen === 'position' ? [null, chosen] : [chosen.split(' ')[0], chosen.slice(chosen.indexOf(' ') + 1)];
            setSearch({ sort: key, order: order === 'desc' ? order : null, sortOf: null });
          }}
        >
          {sort !== 'none' && by !== null && !measures.some(({ key }) => key === by) && (
            // The measures load after the rows.
            <option value={value}>{sortLabel(sort.order, by?.replace(/^(score|human):/, ''))}</option>
          )}
          {(['asc', 'desc'] as const).map((order) =>
            measures.map(({ key, name, direction }) => (
              <option key={`${order} ${key}`} value={`${order} ${key}`}>
                {sortLabel(order, name, direction)}
              </option>
            )),
          )}
          <option value="position">Order of the dataset</option>
        </select>
      </label>
      <FilterField
        projectId={dataset.id}
        experimentIds={address.experimentIds}
        kind="run"
        value={address.filter.condition}
        onApply={(condition, options) => setSearch({ runFilterCondition: condition || null }, options)}
      />
      <SearchField value={address.filter.text} />
      <Switch
        label="Outputs as"
        values={CONTENT_NAMES}
        value={address.content}
        onChange={(content) => setSearch({ cells: content === 'text' ? null : content }, { replaces: true })}
      />
      <ColumnsMenu columns={columns} choice={choice} onChoice={onChoice} />
    </div>
  );
}
