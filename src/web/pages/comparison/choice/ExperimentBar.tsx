import { ActionMenu } from '../../../components/ActionMenu.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { navigate } from '../../../router/location.ts';
import { tabPath } from '../../dataset/dataset-tabs.ts';
import { EXPERIMENT_COUNT_MAX } from '../address.ts';
import type { Compared } from '../compared.ts';
import { ExperimentName } from '../ExperimentMark.tsx';
import { AddExperiment } from './AddExperiment.tsx';
import { moved } from './move-experiment.ts';

interface ExperimentBarProps {
  readonly datasetId: string;
  readonly compared: readonly Compared[];
  readonly onChange: (experimentIds: readonly string[]) => void;
}

/** The compared experiments, baseline first, with menus that reorder, replace and remove them. */
export function ExperimentBar({ datasetId, compared, onChange }: ExperimentBarProps) {
  const ids = compared.map(({ id }) => id);
  return (
    <div className="compared-bar" role="group" aria-label="Compared experiments">
      {compared.map((each, index) => (
        <ActionMenu
          key={each.id}
          button={
            <button
              type="button"
              className="button compared-chip"
              title="Alt and arrow keys move the experiment"
              onKeyDown={(event) => {
                const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
                if (!event.altKey || step === 0) return;
                event.preventDefault();
                onChange(moved(ids, index, index + step));
              }}
            >
              <ExperimentName of={each} />
              {each.isBase && <span className="muted">baseline</span>}
              <Icon name="down" size={11} />
            </button>
          }
          actions={[
            !each.isBase && {
              icon: 'flag',
              label: 'Make the baseline',
              onSelect: () => onChange(moved(ids, index, 0)),
            },
            index > 0 && { icon: 'left', label: 'Move left', onSelect: () => onChange(moved(ids, index, index - 1)) },
            index < ids.length - 1 && {
              icon: 'right',
              label: 'Move right',
              onSelect: () => onChange(moved(ids, index, index + 1)),
            },
            each.experiment && {
              icon: 'evaluator',
              label: 'Open the experiment',
              onSelect: () => navigate(tabPath(datasetId, 'experiments', each.id)),
            },
            'line',
            {
              icon: 'close',
              label: 'Remove from the comparison',
              onSelect: () => onChange(ids.filter((id) => id !== each.id)),
            },
          ]}
        />
      ))}
      {compared.length === 2 && (
        <button
          type="button"
          className="button bare icon-only"
          aria-label="Swap the baseline"
          title="Swap the baseline"
          onClick={() => onChange(moved(ids, 1, 0))}
        >
          <Icon name="swap" size={14} />
        </button>
      )}
      {compared.length < EXPERIMENT_COUNT_MAX && (
        <AddExperiment datasetId={datasetId} chosen={ids} onAdd={(id) => onChange([...ids, id])} />
      )}
    </div>
  );
}
