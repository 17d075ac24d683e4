import * as ariakit from '@ariakit/react';
import { type CSSProperties, useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { toFailure } from '../../data/request.ts';
import { shownName } from '../../format/names.ts';
import { FailureLine } from '../Failure.tsx';
import { Icon } from '../Icon.tsx';
import { Problem } from '../Problem.tsx';
import { LabelForm } from './LabelForm.tsx';
import type { LabelChange } from './label.ts';
import { type ChosenLabels, findLabels, type LabelDraft, stateOf, toggleLabel, toLabelChange } from './label-choice.ts';
import { labelColor } from './label-color.ts';
import type { LabelKind } from './label-kinds.ts';
import './labels.css';

export interface LabelChoiceProps {
  readonly kind: LabelKind;
  /** Labels of the objects before the change. */
  readonly chosen: ChosenLabels;
  /** Saves the change. If it fails, the choice stays open with the reason. */
  readonly onApply: (change: LabelChange) => Promise<unknown>;
  /** Called after the change was saved. */
  readonly onDone: () => void;
}

/** Number of labels that are rendered. Users search longer lists. */
const SHOWN_COUNT = 200;
const MARKS = { all: 'true', some: 'mixed', none: 'false' } as const;

/**
 * Chooses the labels of one or several objects. Arrow keys move, Enter toggles, and nothing is saved before Apply.
 * Typing searches, and an unknown name can be created.
 */
export function LabelChoice({ kind, chosen, onApply, onDone }: LabelChoiceProps) {
  const { items, failure, refetch } = kind.useAll();
  const { may } = useAccess();
  const [text, setText] = useState('');
  const [draft, setDraft] = useState<LabelDraft>(new Map());
  const [isCreating, setCreating] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const found = findLabels(items ?? [], text);
  const canCreate = may(kind.operations.create);
  const apply = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onApply(toLabelChange(chosen, draft));
      onDone();
    } catch (error) {
      setProblem(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="label-choice">
      <ariakit.ComboboxProvider open value={text} setValue={setText} includesBaseElement={false} focusLoop>
        <ariakit.Combobox
          autoFocus
          autoSelect="always"
          className="input"
          placeholder={`Search ${kind.plural}`}
          aria-label={`Search ${kind.plural}`}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && draft.size > 0) {
              event.preventDefault();
              void apply();
            }
          }}
        />
        <ariakit.ComboboxList alwaysVisible className="label-list" aria-label={kind.plural}>
          {found.slice(0, SHOWN_COUNT).map(({ id, name, description, color }) => {
            const state = stateOf(chosen, draft, id);
            return (
              <ariakit.ComboboxItem
                key={id}
                value={id}
                className="menu-item label-item"
                aria-checked={MARKS[state]}
                role="option"
                setValueOnClick={false}
                hideOnClick={false}
                focusOnHover
                onClick={() => setDraft(toggleLabel(chosen, draft, id))}
              >
                <span className="label-check">
                  {state !== 'none' && <Icon name={state === 'all' ? 'check' : 'minus'} size={12} />}
                </span>
                <span className="label-dot" style={{ '--label': labelColor(color) } as CSSProperties} />
                <span className="clip" dir="auto">
                  {shownName(name)}
                </span>
                <span className="muted clip label-about">{description}</span>
              </ariakit.ComboboxItem>
            );
          })}
        </ariakit.ComboboxList>
      </ariakit.ComboboxProvider>
      {failure && <FailureLine failure={failure} onRetry={refetch} />}
      {items && found.length === 0 && (
        <p className="muted label-none">
          {items.length === 0
            ? `There are no ${kind.plural} yet.`
            : `No ${kind.noun} has “${text.trim()}” in its name.`}
        </p>
      )}
      {found.length > SHOWN_COUNT && <p className="muted label-none">Type a part of the name to see the others.</p>}
      <Problem text={problem} />
      <div className="label-foot">
        {canCreate && (
          <button type="button" className="button small" onClick={() => setCreating(true)}>
            <Icon name="plus" size={12} /> {`New ${kind.noun}`}
          </button>
        )}
        <span className="grow" />
        <button type="button" className="button small primary" disabled={draft.size === 0 || isBusy} onClick={apply}>
          Apply
        </button>
      </div>
      {isCreating && (
        <LabelForm
          kind={kind}
          labels={items ?? []}
          firstName={found.length === 0 ? text.trim() : ''}
          onClose={() => setCreating(false)}
          onSaved={(id) => {
            refetch();
            setText('');
            setDraft(new Map([...draft, [id, 'all']]));
          }}
        />
      )}
    </div>
  );
}
