import { Tooltip, TooltipAnchor, TooltipProvider } from '@ariakit/react';
import type { ReactElement, ReactNode } from 'react';

/** Says more about an element while the pointer or the focus is on it. */
export function Tip({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }) {
  return (
    <TooltipProvider timeout={300} placement="bottom">
      <TooltipAnchor render={children} />
      <Tooltip className="tooltip" gutter={6} unmountOnHide>
        {text}
      </Tooltip>
    </TooltipProvider>
  );
}
