import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

interface ChartCursor {
  /** Start of the bin at the cursor in any chart, in ms. */
  readonly time: number | undefined;
  readonly point: (time: number | undefined) => void;
}

const Context = createContext<ChartCursor>({ time: undefined, point: () => {} });
const IsFiltered = createContext(false);

interface LinkedChartsProps {
  /** Whether a filter may be the reason for empty charts. */
  readonly isFiltered: boolean;
  readonly children: ReactNode;
}

/** The charts inside share one cursor. */
export function LinkedCharts({ isFiltered, children }: LinkedChartsProps) {
  const [time, point] = useState<number>();
  const cursor = useMemo(() => ({ time, point }), [time]);
  return (
    <IsFiltered value={isFiltered}>
      <Context value={cursor}>{children}</Context>
    </IsFiltered>
  );
}

/** Text of a panel without data. */
export const useEmptyText = (): string =>
  useContext(IsFiltered) ? 'No data in this range matches the filter' : 'No data in this range';

export const useChartCursor = (): ChartCursor => useContext(Context);
