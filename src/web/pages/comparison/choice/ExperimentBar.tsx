import { Icon } from '../../../components/Icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../../components/Menu.tsx';
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
        <Menu
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
        >
          {!each.isBase && (
            <MenuItem onSelect={() => onChange(moved(ids, index, 0))}>
              <Icon name="flag" size={14} /> Make the baseline
            </MenuItem>
          )}
          {index > 0 && (
            <MenuItem onSelect={() => onChange(moved(ids, index, index - 1))}>
              <Icon name="left" size={14} /> Move left
            </MenuItem>
          )}
          {index < ids.length - 1 && (
            <MenuItem onSelect={() => onChange(moved(ids, index, index + 1))}>
              <Icon name="right" size={14} /> Move right
            </MenuItem>
          )}
          {each.experiment && (
            <MenuItem onSelect={() => navigate(tabPath(datasetId, 'experiments', each.id))}>
              <Icon name="evaluator" size={14} /> Open the experiment
            </MenuItem>
          )}
          <MenuLine />
          <MenuItem onSelect={() => onChange(ids.filter((id) => id !== each.id))}>
            <Icon name="close" size={14} /> Remove from the comparison
          </MenuItem>
        </Menu>
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
