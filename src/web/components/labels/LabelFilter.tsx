import * as ariakit from '@ariakit/react';
import type { CSSProperties } from 'react';
import { shownName } from '../../format/names.ts';
import { FailureLine } from '../Failure.tsx';
import { Icon } from '../Icon.tsx';
import { useLongList } from '../long-list.tsx';
import { labelColor } from './label-color.ts';
import type { LabelKind } from './label-kinds.ts';
import './labels.css';

interface LabelFilterProps {
  readonly kind: LabelKind;
  /** IDs of the labels that rows must have, any of them. */
  readonly value: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** Restricts a list to rows with any of the chosen labels. */
export function LabelFilter(props: LabelFilterProps) {
  const { kind, value, onChange } = props;
  const title = kind.noun === 'split' ? 'Splits' : 'Labels';
  return (
    <span className="row label-filter">
      <ariakit.PopoverProvider placement="bottom-start">
        <ariakit.PopoverDisclosure className="button" aria-pressed={value.length > 0}>
          {title}
          {value.length > 0 && <strong>{value.length}</strong>}
          <Icon name="down" size={12} />
        </ariakit.PopoverDisclosure>
        <ariakit.Popover
          className="popover label-filter-list"
          gutter={4}
          unmountOnHide
          portal
          aria-label={`Filter by ${kind.plural}`}
        >
          <Choices {...props} />
        </ariakit.Popover>
      </ariakit.PopoverProvider>
      {value.length > 0 && (
        <button
          type="button"
          className="button bare small icon-only"
          aria-label={`Show all ${kind.plural}`}
          title="Remove the filter"
          onClick={() => onChange([])}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  );
}

function Choices({ kind, value, onChange }: LabelFilterProps) {
  const { items, failure, refetch } = kind.useAll();
  const { shown, search, rest } = useLongList(items ?? [], kind.plural, ({ name }) => name);
  const toggle = (id: string) => onChange(value.includes(id) ? value.filter((each) => each !== id) : [...value, id]);
  return (
    <>
      {failure && <FailureLine failure={failure} onRetry={refetch} />}
      {search}
      {items?.length === 0 && <p className="muted label-none">There are no {kind.plural} yet.</p>}
      {shown.map(({ id, name, color }) => (
        <label key={id} className="menu-item">
          <input type="checkbox" checked={value.includes(id)} onChange={() => toggle(id)} />
          <span className="label-dot" style={{ '--label': labelColor(color) } as CSSProperties} />
          <span className="clip" dir="auto">
            {shownName(name)}
          </span>
        </label>
      ))}
      {rest}
    </>
  );
}
