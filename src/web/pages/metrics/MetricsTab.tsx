import { planBins } from '../../components/chart/bins.ts';
import { LinkedCharts } from '../../components/chart/chart-cursor.tsx';
import { FailureBoundary } from '../../components/Failure.tsx';
import { useTimeFormat } from '../../format/times.ts';
import { boundsAt, type ChosenRange } from '../../time-range/time-range.ts';
import { zoneName } from '../../time-range/zoned-text.ts';
import { useNow } from '../project/use-now.ts';
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
  /** Changes when the project does. */
  readonly change: string | undefined;
}

/** As many as are still told apart in a panel. */
const BIN_COUNT_MAX = 48;
const DAY_MS = 86_400_000;

const GROUPS = [
  { name: 'The charts of traces', panelCount: 3, Group: TracePanels },
  { name: 'The charts of costs', panelCount: 4, Group: CostPanels },
  { name: 'The models', panelCount: 2, Group: ModelPanels },
  { name: 'The tools', panelCount: 1, Group: ToolPanel },
  { name: 'The charts of spans', panelCount: 4, Group: SpanPanels },
  { name: 'The charts of scores', panelCount: 1, Group: ScorePanels },
] as const;

/** What the range holds over time: every chart points at one time, narrows the range, and leads to its spans. */
export function MetricsTab({ projectId, range, change }: MetricsTabProps) {
  const now = useNow(range, change);
  const { timeZone } = useTimeFormat();
  const bounds = boundsAt(range, now);
  // The end is open: what comes in this moment belongs to the last bin.
  const end = bounds.end ?? now + 1_000;
  const start = bounds.start ?? end - 7 * DAY_MS;
  const props: PanelsProps = {
    projectId,
    timeRange: { start: new Date(start).toISOString(), end: new Date(end).toISOString() },
    plan: planBins(end - start, BIN_COUNT_MAX),
    timeZone: zoneName(timeZone),
  };
  return (
    <div className="page-body">
      <LinkedCharts>
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
