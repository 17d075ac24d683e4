import { useId } from 'react';
import { InputField, SelectField } from '../../components/fields.tsx';
import { useQuery } from '../../data/use-query.ts';
import { panelWords } from './generated/dashboards.ts';
import {
  AGGREGATES,
  type Aggregate,
  GROUP_COLUMNS,
  type GroupColumn,
  type Grouping,
  METRICS,
  type Metric,
  type Panel,
} from './panel.ts';

interface FieldsProps {
  readonly projectId: string;
  readonly panel: Panel;
  readonly set: (changes: Partial<Panel>) => void;
}

/** Names that the project has, for suggestions. */
function usePanelWords(projectId: string) {
  const { data } = useQuery(panelWords, { id: projectId }, { staleMs: 60_000 });
  return data?.node.__typename === 'Project' ? data.node : undefined;
}

const MULTIPLE_MAX = 4;

/** Metric, its aggregates, and the name of annotations. */
export function MetricFields({ projectId, panel, set }: FieldsProps) {
  const words = usePanelWords(projectId);
  const listId = useId();
  const { metric, aggregates, kind, groupBy } = panel;
  const possible = METRICS[metric].aggregates;
  const isMultiple = kind === 'series' && !groupBy;
  const toggle = (aggregate: Aggregate) => {
    if (!isMultiple) return set({ aggregates: [aggregate] });
    const next = possible.filter((each) => (each === aggregate) !== aggregates.includes(each));
    if (next.length > 0 && next.length <= MULTIPLE_MAX) set({ aggregates: next });
  };
  return (
    <>
      <SelectField
        label="Metric"
        value={metric}
        onChange={(value) => set({ metric: value as Metric, annotationName: null })}
      >
        {(Object.keys(METRICS) as Metric[]).map((each) => (
          <option key={each} value={each}>
            {METRICS[each].label}
          </option>
        ))}
      </SelectField>
      {possible.length > 1 && (
        <div className="field">
          <span>{isMultiple ? `Values (up to ${MULTIPLE_MAX})` : 'Value'}</span>
          <span className="segments" role="group" aria-label="Value">
            {possible.map((each) => (
              <button key={each} type="button" aria-pressed={aggregates.includes(each)} onClick={() => toggle(each)}>
                {AGGREGATES[each]}
              </button>
            ))}
          </span>
        </div>
      )}
      {metric === 'annotation' && (
        <label className="field">
          <span>Annotation</span>
          <input
            className="input"
            list={listId}
            value={panel.annotationName ?? ''}
            placeholder="Name of the annotation"
            onChange={(event) => set({ annotationName: event.target.value || null })}
          />
          <datalist id={listId}>
            {words?.spanAnnotationNames.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
      )}
    </>
  );
}

const ATTRIBUTE = 'attribute';

/** Groups of a chart or list, and how many have a name. */
export function GroupFields({ projectId, panel, set }: FieldsProps) {
  const words = usePanelWords(projectId);
  const listId = useId();
  const { groupBy, kind, metric } = panel;
  const value = groupBy === null ? '' : 'column' in groupBy ? groupBy.column : ATTRIBUTE;
  const choose = (next: string): Grouping | null => {
    if (next === '') return null;
    return next === ATTRIBUTE ? { attribute: 'metadata.' } : { column: next as GroupColumn };
  };
  return (
    <>
      <SelectField label="Group by" value={value} onChange={(value) => set({ groupBy: choose(value) })}>
        {kind !== 'list' && <option value="">Nothing</option>}
        {(Object.keys(GROUP_COLUMNS) as GroupColumn[])
          .filter((column) => column !== 'annotation' || metric === 'annotation')
          .map((column) => (
            <option key={column} value={column}>
              {GROUP_COLUMNS[column].label}
            </option>
          ))}
        <option value={ATTRIBUTE}>An attribute…</option>
      </SelectField>
      {groupBy && 'attribute' in groupBy && (
        <label className="field">
          <span>Attribute key</span>
          <input
            className="input"
            list={listId}
            value={groupBy.attribute}
            placeholder="metadata.tenant"
            onChange={(event) => set({ groupBy: { attribute: event.target.value.trim() } })}
          />
          <datalist id={listId}>
            {metadataKeys(words?.traceFilterVocabulary ?? []).map((key) => (
              <option key={key} value={key} />
            ))}
          </datalist>
        </label>
      )}
      {groupBy && (
        <InputField
          label="Number of groups (others are combined)"
          type="number"
          min={1}
          max={50}
          value={panel.groupCount}
          onChange={(value) => {
            const count = Math.round(Number(value));
            if (count >= 1 && count <= 50) set({ groupCount: count });
          }}
        />
      )}
    </>
  );
}

/** Keys such as `metadata.tenant` from the fields of filters, such as `metadata['tenant']`. */
const metadataKeys = (words: readonly { readonly name: string }[]): readonly string[] =>
  words.flatMap(({ name }) => {
    const key = /^metadata\[['"](.+)['"]\]$/.exec(name)?.[1];
    return key === undefined ? [] : [`metadata.${key}`];
  });
