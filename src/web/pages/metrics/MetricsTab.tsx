import { planBins } from '../../components/chart/bins.ts';
import { LinkedCharts } from '../../components/chart/chart-cursor.tsx';
import { FailureBoundary } from '../../components/Failure.tsx';
import { useTimeFormat } from '../../format/times.ts';
import { boundsAt, type ChosenRange, chartedBounds } from '../../time-range/time-range.ts';
import { zoneName } from '../../time-range/zoned-text.ts';
import { useNow } from '../project/statistics/use-now.ts';
import { CostPanels } from './CostPanels.tsx';
import { InView } from './InView.tsx';
import type { PanelsProps } from './panels.tsx';
import { ScorePanels } from './ScorePanels.tsx';
import { SpanPanels } from './SpanPanels.tsx';
import { ModelPanels, ToolPanel } from './TopPanels.tsx';
import { TracePanels } from './TracePanels.tsx';

interface MetricsTabProps {
  readonly projectId: string;
  readonly range: ChosenRange;
  /** Span filter, possibly empty. */
  readonly filter: string;
  /** Latest change of the project. */
  readonly change: string | undefined;
}

/** Maximum number of bins that a reader can tell apart in a panel. */
const BIN_COUNT_MAX = 48;

const GROUPS = [
  { name: 'The trace charts', panelCount: 3, Group: TracePanels },
  { name: 'The cost charts', panelCount: 4, Group: CostPanels },
  { name: 'The model charts', panelCount: 2, Group: ModelPanels },
  { name: 'The tool chart', panelCount: 1, Group: ToolPanel },
  { name: 'The span charts', panelCount: 4, Group: SpanPanels },
  { name: 'The score charts', panelCount: 1, Group: ScorePanels },
] as const;

/** Charts of the time range. They share a cursor, narrow the range when the user draws over them, and open the spans of a bin. */
export function MetricsTab({ projectId, range, filter, change }: MetricsTabProps) {
  const now = useNow(range, change);
  const { timeZone } = useTimeFormat();
  const { start, end } = chartedBounds(boundsAt(range, now), now);
  const props: PanelsProps = {
    projectId,
    filter,
    timeRange: { start: new Date(start).toISOString(), end: new Date(end).toISOString() },
    plan: planBins(end - start, BIN_COUNT_MAX),
    timeZone: zoneName(timeZone),
  };
  return (
    <div className="page-body">
      <LinkedCharts isFiltered={filter !== ''}>
        <div className="charts">
          {GROUPS.map(({ name, panelCount, Group }) => (
            <FailureBoundary name={name} key={name}>
              <InView panelCount={panelCount}>
                <Group {...props} />
              </InView>
            </FailureBoundary>
          ))}
        </div>
      </LinkedCharts>
    </div>
  );
}
