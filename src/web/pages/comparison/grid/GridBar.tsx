import { FilterField } from '../../../components/filter/FilterField.tsx';
import { ColumnsMenu } from '../../../components/table/ColumnsMenu.tsx';
import type { Column, ColumnChoice } from '../../../components/table/column.ts';
import { Switch } from '../../../components/values/Card.tsx';
import { setSearch } from '../../../router/location.ts';
import type { ComparisonAddress, Content, RowSort } from '../address.ts';
import type { ComparedDataset, ComparedRow, Measure } from '../compared.ts';
import { SearchField } from './SearchField.tsx';

interface GridBarProps {
  readonly dataset: ComparedDataset;
  readonly address: ComparisonAddress;
  readonly sort: RowSort | 'none';
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

/** Order, condition and appearance of the rows. */
export function GridBar({ dataset, address, sort, measures, columns, choice, onChoice }: GridBarProps) {
  return (
    <div className="table-bar">
      <label className="row">
        <span className="muted bar-label">Sort</span>
        <select
          className="input sort-choice"
          aria-label="Sort by"
          value={sort === 'none' ? 'position' : `${sort.order} ${sort.by}`}
          onChange={({ target: { value } }) => {
            const [order, by] =
              value === 'position' ? [null, value] : [value.split(' ')[0], value.slice(value.indexOf(' ') + 1)];
            setSearch({ sort: by, order: order === 'desc' ? order : null, sortOf: null });
          }}
        >
          {measures.map(({ key, name, direction }) => (
            <option key={key} value={`asc ${key}`}>
              {direction === 'NONE' ? `Largest decrease of ${name}` : `Largest regression on ${name}`}
            </option>
          ))}
          {measures.map(({ key, name, direction }) => (
            <option key={key} value={`desc ${key}`}>
              {direction === 'NONE' ? `Largest increase of ${name}` : `Largest improvement on ${name}`}
            </option>
          ))}
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
