import * as ariakit from '@ariakit/react';
import type { ReactElement, ReactNode } from 'react';

/** Describes an element while it has the pointer or the focus. */
export function Tooltip({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }) {
  return (
    <ariakit.TooltipProvider timeout={300} placement="bottom">
      <ariakit.TooltipAnchor render={children} />
      <ariakit.Tooltip className="tooltip" gutter={6} unmountOnHide>
        {text}
      </ariakit.Tooltip>
    </ariakit.TooltipProvider>
  );
}
