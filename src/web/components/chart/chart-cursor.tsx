import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

interface ChartCursor {
  /** Start of the bin that somebody looks at in any of the charts, in ms. */
  readonly time: number | undefined;
  readonly point: (time: number | undefined) => void;
}

const Context = createContext<ChartCursor>({ time: undefined, point: () => {} });
const IsFiltered = createContext(false);

interface LinkedChartsProps {
  /** Whether a filter may be the reason that there is nothing to show. */
  readonly isFiltered: boolean;
  readonly children: ReactNode;
}

/** Charts inside of it point at one time together. */
export function LinkedCharts({ isFiltered, children }: LinkedChartsProps) {
  const [time, point] = useState<number>();
  const cursor = useMemo(() => ({ time, point }), [time]);
  return (
    <IsFiltered value={isFiltered}>
      <Context value={cursor}>{children}</Context>
    </IsFiltered>
  );
}

/** The text of a panel without anything to show. */
export const useEmptyText = (): string =>
  useContext(IsFiltered) ? 'Nothing in this range matches the filter' : 'Nothing in this range';

export const useChartCursor = (): ChartCursor => useContext(Context);
