import { useState } from 'react';
import { useQuery } from '../../data/use-query.ts';
import { shownName } from '../../format/names.ts';
import { formatCount } from '../../format/numbers.ts';
import { FailureLine } from '../Failure.tsx';
import { datasetChoices } from './generated/cases.ts';

/** A stored dataset, or the name of a new one. */
export type ChosenDataset = { readonly id: string; readonly name: string } | { readonly newName: string };

interface DatasetChoiceProps {
  readonly value: ChosenDataset | undefined;
  readonly onChange: (dataset: ChosenDataset | undefined) => void;
}

/** Searches a dataset by name. A name that no dataset has can be created. */
export function DatasetChoice({ value, onChange }: DatasetChoiceProps) {
  const [text, setText] = useState('');
  const name = text.trim();
  const { data, failure, refetch, isStale } = useQuery(datasetChoices, { name });
  const found = (data?.datasets.edges ?? []).map(({ node }) => node);
  const canCreate = name !== '' && data !== undefined && !isStale && !found.some((each) => each.name === name);
  return (
    <fieldset className="dataset-choice">
      <legend className="label">Dataset</legend>
      <input
        className="input"
        aria-label="Search or name a dataset"
        placeholder="Search, or type the name of a new dataset"
        maxLength={300}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onChange(undefined);
        }}
      />
      {failure && <FailureLine failure={failure} onRetry={refetch} />}
      <div className="dataset-choices" role="radiogroup" aria-label="Dataset">
        {canCreate && (
          <label className="menu-item">
            <input
              type="radio"
              name="dataset"
              checked={value !== undefined && 'newName' in value}
              onChange={() => onChange({ newName: name })}
            />
            <span className="clip grow">Create “{name}”</span>
          </label>
        )}
        {found.map(({ id, name: each, exampleCount }) => (
          <label key={id} className="menu-item">
            <input
              type="radio"
              name="dataset"
              checked={value !== undefined && 'id' in value && value.id === id}
              onChange={() => onChange({ id, name: each })}
            />
            <span className="clip grow" dir="auto">
              {shownName(each)}
            </span>
            <span className="muted">{formatCount(exampleCount)}</span>
          </label>
        ))}
        {data && found.length === 0 && !canCreate && (
          <p className="menu-title">There are no datasets yet. Type a name to create the first one.</p>
        )}
      </div>
    </fieldset>
  );
}
