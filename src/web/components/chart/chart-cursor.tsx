import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

interface ChartCursor {
  /** Start of the bin that somebody looks at in any of the charts, in ms. */
  readonly time: number | undefined;
  readonly point: (time: number | undefined) => void;
}

const Context = createContext<ChartCursor>({ time: undefined, point: () => {} });

/** Charts inside of it point at one time together. */
export function LinkedCharts({ children }: { readonly children: ReactNode }) {
  const [time, point] = useState<number>();
  const cursor = useMemo(() => ({ time, point }), [time]);
  return <Context value={cursor}>{children}</Context>;
}

export const useChartCursor = (): ChartCursor => useContext(Context);
