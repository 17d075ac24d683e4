import { formatCount } from '../../../format/numbers.ts';
import { DAY_COUNT, fillDays, type OnlineDay } from './online-text.ts';

const HEIGHT = 36;
const STEP = 14;

/** Evaluations of the last 14 days: scored, and above them over budget and failed. */
export function DayBars({ days }: { readonly days: readonly OnlineDay[] }) {
  const shown = fillDays(days, new Date().toISOString().slice(0, 10), DAY_COUNT);
  const max = Math.max(1, ...shown.map((day) => day.doneCount + day.overBudgetCount + day.failedCount));
  const toHeight = (count: number) => (count === 0 ? 0 : Math.max(1, (count / max) * HEIGHT));
  return (
    <svg className="online-days" width={DAY_COUNT * STEP} height={HEIGHT} role="img" aria-label="Evaluations by day">
      {shown.map((day, index) => {
        const done = toHeight(day.doneCount);
        const other = toHeight(day.overBudgetCount + day.failedCount);
        const title = `${day.day}: ${formatCount(day.doneCount)} scored, ${formatCount(day.sampledOutCount)} not in the sample, ${formatCount(day.overBudgetCount)} over budget, ${formatCount(day.failedCount)} failed`;
        return (
          <g key={day.day} transform={`translate(${index * STEP} 0)`}>
            <title>{title}</title>
            <rect className="online-day" width={STEP - 3} height={HEIGHT} />
            <rect className="online-done" width={STEP - 3} y={HEIGHT - done} height={done} />
            <rect className="online-other" width={STEP - 3} y={Math.max(0, HEIGHT - done - other)} height={other} />
          </g>
        );
      })}
    </svg>
  );
}
