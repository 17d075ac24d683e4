import { Fragment, type ReactElement } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import { Menu, MenuItem, MenuLine } from './Menu.tsx';

interface Action {
  readonly label: string;
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  readonly onSelect: () => void;
}

interface ActionMenuProps {
  readonly label?: string;
  /** An action that the user may not run is absent. A line is shown only above an action. */
  readonly actions: readonly (Action | 'line' | false | null | undefined)[];
  /** Default: a small button with three dots. */
  readonly button?: ReactElement;
}

const MORE = (
  <button type="button" className="button bare small icon-only">
    <Icon name="more" />
  </button>
);

/** Menu of the actions on one thing. */
export function ActionMenu({ label, actions, button = MORE }: ActionMenuProps) {
  const items: (Action & { readonly isBelowLine: boolean })[] = [];
  let isBelowLine = false;
  for (const action of actions) {
    if (!action) continue;
    if (action !== 'line') items.push({ ...action, isBelowLine });
    isBelowLine = action === 'line';
  }
  return (
    <Menu button={button} {...(label !== undefined && { label })}>
      {items.map((item) => (
        <Fragment key={item.label}>
          {item.isBelowLine && <MenuLine />}
          <MenuItem onSelect={item.onSelect} isDanger={item.isDanger ?? false}>
            {item.icon && <Icon name={item.icon} size={14} />} {item.label}
          </MenuItem>
        </Fragment>
      ))}
    </Menu>
  );
}
