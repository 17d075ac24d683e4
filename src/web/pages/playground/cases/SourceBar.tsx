import { FilterField } from '../../../components/filter/FilterField.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { playgroundProjects } from '../generated/playground.ts';
import { type CaseSource, newCase } from '../state/cases.ts';
import { DatasetPicker } from './DatasetPicker.tsx';
import { SPAN_COUNT_MAX } from './use-cases.ts';

interface SourceBarProps {
  readonly source: CaseSource;
  readonly onChange: (source: CaseSource) => void;
}

const TYPES = [
  ['typed', 'Inputs'],
  ['dataset', 'Dataset'],
  ['spans', 'Spans'],
] as const;

const NOTHING = {};

/** Where the rows come from: typed inputs, examples of a dataset, or spans of a filter. */
export function SourceBar({ source, onChange }: SourceBarProps) {
  const switchTo = (type: CaseSource['type']) => {
    if (type === source.type) return;
    if (type === 'typed') onChange({ type, rows: [newCase()] });
    else if (type === 'dataset') onChange({ type, datasetId: '', splitIds: [] });
    else onChange({ type, projectId: '', filter: 'span_kind == "LLM"', count: 50 });
  };
  return (
    <>
      <Switch label="Source of the cases" values={TYPES} value={source.type} onChange={switchTo} />
      {source.type === 'dataset' && <DatasetPicker source={source} onChange={onChange} />}
      {source.type === 'spans' && <SpanSource source={source} onChange={onChange} />}
    </>
  );
}

interface SpanSourceProps {
  readonly source: Extract<CaseSource, { readonly type: 'spans' }>;
  readonly onChange: (source: CaseSource) => void;
}

function SpanSource({ source, onChange }: SpanSourceProps) {
  const { data } = useQuery(playgroundProjects, NOTHING);
  const projects = (data?.projects.edges ?? []).map(({ node }) => node);
  const { projectId, filter, count } = source;
  return (
    <>
      <select
        className="input pg-project"
        aria-label="Project"
        value={projectId}
        onChange={({ target }) => onChange({ ...source, projectId: target.value })}
      >
        <option value="">Choose a project</option>
        {projectId !== '' && !projects.some(({ id }) => id === projectId) && <option value={projectId}>…</option>}
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {projectId !== '' && (
        <>
          <div className="pg-filter grow">
            <FilterField
              projectId={projectId}
              kind="span"
              value={filter}
              onApply={(next) => onChange({ ...source, filter: next })}
            />
          </div>
          <label className="row">
            <span className="muted">Newest</span>
            <input
              className="input pg-number"
              type="number"
              min={1}
              max={SPAN_COUNT_MAX}
              value={count}
              onChange={({ target }) => {
                const next = Math.round(Number(target.value));
                if (next >= 1 && next <= SPAN_COUNT_MAX) onChange({ ...source, count: next });
              }}
            />
          </label>
        </>
      )}
    </>
  );
}
