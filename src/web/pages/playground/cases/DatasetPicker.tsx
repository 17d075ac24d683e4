import * as ariakit from '@ariakit/react';
import { useState } from 'react';
import { datasetChoices } from '../../../components/cases/generated/cases.ts';
import { Icon } from '../../../components/Icon.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { playgroundDataset } from '../generated/playground.ts';
import type { CaseSource } from '../state/cases.ts';

interface DatasetPickerProps {
  readonly source: Extract<CaseSource, { readonly type: 'dataset' }>;
  readonly onChange: (source: CaseSource) => void;
}

/** The dataset whose examples are the rows, and its splits. */
export function DatasetPicker({ source, onChange }: DatasetPickerProps) {
  const { datasetId, splitIds } = source;
  const { data } = useQuery(playgroundDataset, datasetId === '' ? undefined : { id: datasetId });
  const dataset = datasetId !== '' && data?.node.__typename === 'Dataset' ? data.node : undefined;
  const popover = ariakit.usePopoverStore({ placement: 'bottom-start' });
  const toggle = (id: string) =>
    onChange({
      ...source,
      splitIds: splitIds.includes(id) ? splitIds.filter((each) => each !== id) : [...splitIds, id],
    });
  return (
    <>
      <ariakit.PopoverDisclosure store={popover} className="button">
        <Icon name="dataset" size={13} />
        <span className="clip pg-dataset" dir="auto">
          {datasetId === '' ? 'Choose a dataset' : (dataset?.name ?? '…')}
        </span>
        <Icon name="down" size={11} />
      </ariakit.PopoverDisclosure>
      <ariakit.Popover store={popover} className="popover" gutter={4} aria-label="Datasets" unmountOnHide portal>
        <Choices
          onPick={(id) => {
            onChange({ type: 'dataset', datasetId: id, splitIds: [] });
            popover.hide();
          }}
        />
      </ariakit.Popover>
      {dataset && dataset.splits.length > 0 && (
        <span className="row wraps" role="group" aria-label="Splits">
          {dataset.splits.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              className="button small"
              aria-pressed={splitIds.includes(id)}
              onClick={() => toggle(id)}
            >
              {name}
            </button>
          ))}
        </span>
      )}
    </>
  );
}

function Choices({ onPick }: { readonly onPick: (id: string) => void }) {
  const [text, setText] = useState('');
  const { data } = useQuery(datasetChoices, { name: text.trim() });
  const found = (data?.datasets.edges ?? []).map(({ node }) => node);
  return (
    <div className="pg-popover">
      <input
        className="input"
        type="search"
        aria-label="Search datasets"
        placeholder="Search datasets"
        // biome-ignore lint/a11y/noAutofocus: the user has opened the list to search
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {found.map(({ id, name, exampleCount }) => (
        <button key={id} type="button" className="menu-item plain-menu-item" onClick={() => onPick(id)}>
          <span className="clip grow" dir="auto">
            {name}
          </span>
          <span className="muted">{formatCount(exampleCount)}</span>
        </button>
      ))}
      {data && found.length === 0 && <p className="menu-title">No dataset has this text in its name.</p>}
    </div>
  );
}
