import * as ariakit from '@ariakit/react';
import type { ReactElement, ReactNode } from 'react';

/** Button that opens a menu. */
export function Menu(props: { readonly button: ReactElement; readonly label?: string; readonly children: ReactNode }) {
  return (
    <ariakit.MenuProvider>
      <ariakit.MenuButton render={props.button} aria-label={props.label} />
      <ariakit.Menu className="popover" gutter={4} unmountOnHide portal>
        {props.children}
      </ariakit.Menu>
    </ariakit.MenuProvider>
  );
}

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
  readonly isChecked?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, isDanger, isChecked, children }: MenuItemProps) {
  const menu = ariakit.useMenuContext();
  return (
    <ariakit.MenuItem
      className={isDanger ? 'menu-item danger' : 'menu-item'}
      onClick={() => {
        // A dialog gives the focus back to what had it, and the item does not outlive its menu.
        menu?.getState().disclosureElement?.focus();
        onSelect();
      }}
      {...(isChecked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': isChecked })}
    >
      {children}
    </ariakit.MenuItem>
  );
}

export const MenuLine = () => <hr className="menu-line" />;
