import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

interface ChartCursor {
  /** Start of the bin under the cursor in any of the charts, in ms. */
  readonly time: number | undefined;
  readonly point: (time: number | undefined) => void;
}

const Context = createContext<ChartCursor>({ time: undefined, point: () => {} });
const IsFiltered = createContext(false);

interface LinkedChartsProps {
  /** Whether a filter may be the reason for an empty chart. */
  readonly isFiltered: boolean;
  readonly children: ReactNode;
}

/** Charts within share a cursor. */
export function LinkedCharts({ isFiltered, children }: LinkedChartsProps) {
  const [time, point] = useState<number>();
  const cursor = useMemo(() => ({ time, point }), [time]);
  return (
    <IsFiltered value={isFiltered}>
      <Context value={cursor}>{children}</Context>
    </IsFiltered>
  );
}

/** Text of an empty panel. */
export const useEmptyText = (): string =>
  useContext(IsFiltered) ? 'No data in this range matches the filter' : 'No data in this range';

export const useChartCursor = (): ChartCursor => useContext(Context);
