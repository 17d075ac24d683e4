import { setSearch, useLocation } from '../../../router/location.ts';
import { type ComparisonAddress, toFilterInput } from '../address.ts';
import { clearFilters } from '../ComparisonStates.tsx';
import type { Compared, ComparedDataset, Measure } from '../compared.ts';

interface FilterBarProps {
  readonly dataset: ComparedDataset;
  readonly compared: readonly Compared[];
  readonly address: ComparisonAddress;
  readonly measures: readonly Measure[];
}

/** Quick filters of the rows. */
export function FilterBar({ dataset, compared, address: { filter, splitIds }, measures }: FilterBarProps) {
  const directed = measures.filter(({ direction }) => direction !== 'NONE').map(({ key, name }) => ({ id: key, name }));
  const scores = measures
    .filter(({ kind, key }) => kind === 'SCORE' && key.startsWith('score:'))
    .map(({ key, name }) => ({ id: key.slice('score:'.length), name }));
  const isFiltered = toFilterInput(filter) !== undefined || splitIds.length > 0;
  return (
    <div className="filter-bar" role="group" aria-label="Quick filters">
      <Choice label="Regressed on" name="regressedOn" value={filter.regressedOn} options={directed} />
      <Choice label="Improved on" name="improvedOn" value={filter.improvedOn} options={directed} />
      <Choice label="Annotators disagree on" name="disagreeOn" value={filter.disagreeOn} options={scores} />
      <Toggle label="Errors" name="hasError" isOn={filter.hasError} />
      <Toggle label="Missing runs" name="isMissing" isOn={filter.isMissing} />
      <label className="row slower" data-active={filter.slowerThanMs !== undefined}>
        <span>Slower than</span>
        <input
          className="input"
          inputMode="decimal"
          aria-label="Slower than, in seconds"
          placeholder="s"
          key={filter.slowerThanMs}
          defaultValue={filter.slowerThanMs === undefined ? '' : filter.slowerThanMs / 1000}
          onBlur={({ target }) => applySeconds(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') applySeconds(event.currentTarget.value);
          }}
        />
        <span>s</span>
      </label>
      {compared.length > 2 && (
        <Choice
          label="In"
          anyLabel="any experiment"
          name="of"
          value={filter.experimentId}
          options={compared.map(({ id, letter, name }) => ({ id, name: `${letter} ${name}` }))}
        />
      )}
      {dataset.splits.length > 0 && (
        <Choice label="Split" name="splitId" value={splitIds[0]} options={dataset.splits} />
      )}
      {isFiltered && (
        <button type="button" className="button bare small" onClick={clearFilters}>
          Clear all
        </button>
      )}
    </div>
  );
}

/** Applies a limit in seconds. A text that is no number removes it. */
function applySeconds(text: string): void {
  const seconds = Number(text.trim().replace(',', '.'));
  const isLimit = text.trim() !== '' && Number.isFinite(seconds) && seconds >= 0;
  setSearch({ slowerThanMs: isLimit ? String(Math.round(seconds * 1000)) : null });
}

interface ChoiceProps {
  readonly label: string;
  readonly anyLabel?: string;
  /** Parameter of the address. */
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly id: string; readonly name: string }[];
}

function Choice({ label, anyLabel = 'any', name, value, options }: ChoiceProps) {
  const { search } = useLocation();
  const isKnown = value === undefined || options.some(({ id }) => id === value);
  return (
    <label className="quick-filter" data-active={value !== undefined}>
      <span>{label}</span>
      <select
        value={value ?? ''}
        onChange={(event) => {
          if (event.target.value !== search.get(name)) setSearch({ [name]: event.target.value || null });
        }}
      >
        <option value="">{anyLabel}</option>
        {!isKnown && <option value={value}>{value}</option>}
        {options.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Toggle({ label, name, isOn }: { readonly label: string; readonly name: string; readonly isOn: boolean }) {
  return (
    <button
      type="button"
      className="button small"
      aria-pressed={isOn}
      onClick={() => setSearch({ [name]: isOn ? null : 'true' })}
    >
      {label}
    </button>
  );
}
