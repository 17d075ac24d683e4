import { quote } from '../../../components/filter/write-condition.ts';
import { setSearch, useLocation } from '../../../router/location.ts';
import type { Compared, ComparedDataset, Comparison, Group, Measure } from '../compared.ts';
import { ExperimentMark } from '../ExperimentMark.tsx';
import { HeatTable } from './HeatTable.tsx';

interface WhereItChangedProps {
  readonly dataset: ComparedDataset;
  readonly compared: readonly Compared[];
  readonly comparison: Comparison;
  readonly groupKey: string | undefined;
}

/** Differences by split and by the values of a metadata key, for one of the experiments. */
export function WhereItChanged({ dataset, compared, comparison, groupKey }: WhereItChangedProps) {
  const { search } = useLocation();
  const others = compared.filter(({ isBase }) => !isBase);
  const of = others.find(({ id }) => id === search.get('of')) ?? others[0];
  if (!of) return null;
  const { measures, splits, metadataGroups, metadataKeys } = comparison;
  const toGrid = (changes: Readonly<Record<string, string | undefined>>, measure: Measure): string => {
    const next = new URLSearchParams(search);
    for (const name of FILTERS) next.delete(name);
    const all = {
      ...changes,
      view: 'grid',
      of: of.id,
      ...(measure.direction === 'NONE' ? {} : { regressedOn: measure.key }),
    };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) next.set(name, value);
    return `/datasets/${encodeURIComponent(dataset.id)}/compare?${next}`;
  };
  const toSplit = ({ name }: Group, measure: Measure) =>
    toGrid({ splitId: dataset.splits.find((split) => split.name === name)?.id }, measure);
  const toMetadata = ({ name }: Group, measure: Measure) =>
    toGrid({ runFilterCondition: `metadata[${quote(groupKey ?? '')}] == ${quote(name)}` }, measure);
  const choice = others.length > 1 && (
    <span className="segments" role="group" aria-label="Experiment to compare with the baseline">
      {others.map((each) => (
        <button
          key={each.id}
          type="button"
          aria-pressed={each === of}
          title={each.name}
          onClick={() => setSearch({ of: each.id }, { replaces: true })}
        >
          <ExperimentMark of={each} />
        </button>
      ))}
    </span>
  );
  return (
    <section className="where" aria-label="Where did it change?">
      <HeatTable
        title="Where did it change? By split"
        groups={splits}
        measures={measures}
        experimentId={of.id}
        toGrid={toSplit}
        actions={choice}
        empty="The dataset has no splits. Assign examples to splits on the page of its examples to see them here."
      />
      <HeatTable
        title="By metadata"
        groups={groupKey === undefined ? [] : metadataGroups}
        measures={measures}
        experimentId={of.id}
        toGrid={toMetadata}
        actions={
          metadataKeys.length > 0 && (
            <label className="row">
              <span className="visually-hidden">Metadata key</span>
              <select
                className="input heat-key"
                value={groupKey ?? ''}
                onChange={(event) => setSearch({ groupKey: event.target.value || null }, { replaces: true })}
              >
                <option value="">Choose a key</option>
                {metadataKeys.map((key) => (
                  <option key={key}>{key}</option>
                ))}
              </select>
            </label>
          )
        }
        empty={
          metadataKeys.length === 0
            ? 'The examples have no metadata by which they could be grouped.'
            : groupKey === undefined
              ? 'Choose a metadata key to group the examples by its values.'
              : 'No example has a value of this key.'
        }
      />
    </section>
  );
}

/** Filters of the grid, which a link replaces. */
const FILTERS = [
  'regressedOn',
  'improvedOn',
  'disagreeOn',
  'hasError',
  'isMissing',
  'slowerThanMs',
  'runFilterCondition',
  'search',
  'splitId',
  'exampleId',
] as const;
