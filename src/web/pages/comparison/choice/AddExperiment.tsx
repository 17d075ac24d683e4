import * as ariakit from '@ariakit/react';
import { useState } from 'react';
import { FailureLine } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatAge } from '../../../format/ages.ts';
import { shownName } from '../../../format/names.ts';
import { addableExperiments } from '../generated/comparison.ts';

interface AddExperimentProps {
  readonly datasetId: string;
  /** IDs of the experiments that are compared already. */
  readonly chosen: readonly string[];
  readonly onAdd: (experimentId: string) => void;
}

/** Button with a list of the experiments that can be added, newest first, with a search by name. */
export function AddExperiment({ datasetId, chosen, onAdd }: AddExperimentProps) {
  const popover = ariakit.usePopoverStore({ placement: 'bottom-start' });
  return (
    <>
      <ariakit.PopoverDisclosure store={popover} className="button">
        <Icon name="plus" size={13} /> {chosen.length === 0 ? 'Choose an experiment' : 'Add experiment'}
      </ariakit.PopoverDisclosure>
      <ariakit.Popover
        store={popover}
        className="popover add-experiment"
        gutter={4}
        unmountOnHide
        portal
        aria-label="Add experiment"
      >
        <Choices
          datasetId={datasetId}
          chosen={chosen}
          onAdd={(id) => {
            popover.hide();
            onAdd(id);
          }}
        />
      </ariakit.Popover>
    </>
  );
}

function Choices({ datasetId, chosen, onAdd }: AddExperimentProps) {
  const [name, setName] = useState('');
  const { data, failure, refetch } = useQuery(addableExperiments, { datasetId, name: name.trim() || null });
  const listed = data?.dataset.__typename === 'Dataset' ? data.dataset.experiments.edges : undefined;
  const free = listed?.filter(({ node }) => !chosen.includes(node.id));
  return (
    <>
      <input
        className="input"
        type="search"
        placeholder="Search experiments"
        aria-label="Search experiments by name"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {failure && <FailureLine failure={failure} onRetry={refetch} />}
      <ul>
        {free?.map(({ node: { id, name: label, sequenceNumber, createdAt, isBaseline } }) => (
          <li key={id}>
            <button type="button" className="menu-item button bare" onClick={() => onAdd(id)}>
              <span className="muted">#{sequenceNumber}</span>
              <span className="clip" dir="auto">
                {shownName(label)}
              </span>
              {isBaseline && <Icon name="flag" size={12} />}
              <span className="grow" />
              <span className="muted">{formatAge(createdAt)}</span>
            </button>
          </li>
        ))}
      </ul>
      {free?.length === 0 && (
        <p className="menu-title">
          {name.trim() === ''
            ? 'All experiments of this dataset are compared.'
            : 'No further experiment has this name.'}
        </p>
      )}
    </>
  );
}
