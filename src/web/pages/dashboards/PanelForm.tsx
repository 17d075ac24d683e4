import { useState } from 'react';
import { Dialog } from '../../components/Dialog.tsx';
import { InputField } from '../../components/fields.tsx';
import { FilterField } from '../../components/filter/FilterField.tsx';
import { PanelCard } from './PanelCard.tsx';
import { GroupFields, MetricFields } from './PanelFields.tsx';
import { describePanel, fitPanel, isAdditive, KINDS, missingInput, type Panel } from './panel.ts';
import type { PanelScope } from './use-panel.ts';

interface PanelFormProps {
  readonly scope: PanelScope;
  /** The panel, or the first state of a new one. */
  readonly panel: Panel;
  readonly isNew: boolean;
  readonly onApply: (panel: Panel) => void;
  readonly onClose: () => void;
}

/** Form of a panel with a preview of its data. */
export function PanelForm({ scope, panel: first, isNew, onApply, onClose }: PanelFormProps) {
  const [panel, setPanel] = useState(first);
  const set = (changes: Partial<Panel>) => setPanel((last) => fitPanel({ ...last, ...changes }));
  const missing = missingInput(panel);
  return (
    <Dialog title={isNew ? 'Add panel' : 'Edit panel'} isWide isOpen asksBeforeLoss onClose={onClose}>
      <div className="panel-form">
        <div className="panel-fields">
          <InputField
            label="Title"
            value={panel.title}
            maxLength={120}
            placeholder={describePanel(panel)}
            onChange={(value) => set({ title: value })}
          />
          <Choice
            label="Show as"
            values={Object.entries(KINDS) as [Panel['kind'], string][]}
            value={panel.kind}
            onChange={(kind) => set({ kind, columns: kind === 'figure' ? 1 : Math.max(2, panel.columns) })}
          />
          <MetricFields projectId={scope.projectId} panel={panel} set={set} />
          <div className="field">
            <span>Filter</span>
            <FilterField
              projectId={scope.projectId}
              kind="span"
              value={panel.filter}
              onApply={(filter) => set({ filter })}
            />
          </div>
          {panel.kind !== 'figure' && <GroupFields projectId={scope.projectId} panel={panel} set={set} />}
          {panel.kind === 'series' && (
            <Choice
              label="Draw"
              values={[
                ['lines', 'Lines'],
                ['bars', 'Stacked bars'],
              ]}
              value={panel.style}
              isOff={(style) => style === 'bars' && !isAdditive(panel)}
              onChange={(style) => set({ style })}
            />
          )}
          <Choice
            label="Width"
            values={[1, 2, 3, 4].map((columns) => [columns, String(columns)])}
            value={panel.columns}
            onChange={(columns) => set({ columns })}
          />
        </div>
        <div className="panel-preview">
          <span className="muted">Preview of the selected time range</span>
          {missing === undefined ? (
            <PanelCard scope={scope} panel={panel} />
          ) : (
            <section className="card chart-card">
              <p className="chart-empty muted">{missing}</p>
            </section>
          )}
        </div>
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          disabled={missing !== undefined}
          onClick={() => onApply({ ...panel, title: panel.title.trim() })}
        >
          {isNew ? 'Add panel' : 'Apply'}
        </button>
      </div>
    </Dialog>
  );
}

interface ChoiceProps<Value> {
  readonly label: string;
  readonly values: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly isOff?: (value: Value) => boolean;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string | number>({ label, values, value, isOff, onChange }: ChoiceProps<Value>) {
  return (
    <div className="field">
      <span>{label}</span>
      <span className="segments" role="group" aria-label={label}>
        {values.map(([each, text]) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === value}
            disabled={isOff?.(each) ?? false}
            onClick={() => onChange(each)}
          >
            {text}
          </button>
        ))}
      </span>
    </div>
  );
}
