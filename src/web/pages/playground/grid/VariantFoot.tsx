import { formatScore } from '../../../components/annotations/format-score.ts';
import { formatCost, formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import type { CellStore } from '../run/cell-store.ts';
import { Slices } from '../run/slices.ts';
import { FigureCollector, type Mean, type VariantFigures, type Wins } from '../run/statistics.ts';
import { useFigures } from './use-cell.ts';

interface VariantFootProps {
  readonly store: CellStore;
  readonly variantId: string;
  readonly pinnedId: string;
}

interface Figures extends VariantFigures {
  /** Wins of each score. Empty for the pinned variant. */
  readonly wins: ReadonlyMap<string, Wins>;
}

/** Walks over the outputs in slices, because a large run has tens of thousands. */
async function collect(store: CellStore, variantId: string): Promise<FigureCollector> {
  const collector = new FigureCollector();
  const slices = new Slices();
  let count = 0;
  for (const cell of store.endedCellsOf(variantId)) {
    collector.add(cell);
    if (++count % STEP === 0) await slices.pause();
  }
  return collector;
}

/** Outputs between two looks at the clock. */
const STEP = 200;

async function readFigures({ store, variantId, pinnedId }: VariantFootProps): Promise<Figures> {
  const own = await collect(store, variantId);
  const { figures } = own;
  if (variantId === pinnedId || figures.scores.size === 0) return { ...figures, wins: new Map() };
  const pinned = await collect(store, pinnedId);
  const wins = [...figures.scores.keys()].map((name) => [name, own.winsAgainst(pinned, name)] as const);
  return { ...figures, wins: new Map(wins) };
}

/** Means of a variant with their 95 % intervals, its cost, and its wins against the pinned variant. */
export function VariantFoot(props: VariantFootProps) {
  const { store, variantId, pinnedId } = props;
  const figures = useFigures(store, [variantId, pinnedId], () => readFigures(props));
  if (!figures || figures.doneCount + figures.errorCount === 0) return <span className="muted">No outputs yet</span>;
  const { errorCount, latencyMs, firstMs, tokens, cost, scores, wins } = figures;
  return (
    <div className="variant-foot">
      <div className="row wraps">
        <Figure label="Latency" mean={latencyMs} format={formatLatency} />
        <Figure label="First" mean={firstMs} format={formatLatency} />
        <Figure label="Tokens" mean={tokens} format={formatCount} />
        {cost !== undefined && (
          <span>
            <span className="muted">Cost</span> <strong>{cost < 0.1 ? formatSmallCost(cost) : formatCost(cost)}</strong>
          </span>
        )}
        {errorCount > 0 && <span className="status-error">{formatCount(errorCount)} failed</span>}
      </div>
      {[...scores].map(([name, mean]) => {
        const won = wins.get(name);
        return (
          <div key={name} className="row wraps">
            <Figure label={name} mean={mean} format={formatScore} />
            {won && won.better + won.worse + won.equal > 0 && (
              <span title={`Cases with a higher, a lower and an equal score than the pinned variant`}>
                <span className="better-text">{won.better} better</span>{' '}
                <span className="worse-text">{won.worse} worse</span> <span className="muted">{won.equal} equal</span>
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  readonly mean: Mean | undefined;
  readonly format: (value: number) => string;
}

function Figure({ label, mean, format }: FigureProps) {
  if (!mean) return null;
  return (
    <span title={`Mean of ${mean.count}${mean.margin === undefined ? '' : ', with its 95 % interval'}`}>
      <span className="muted" dir="auto">
        {label}
      </span>{' '}
      <strong>{format(mean.value)}</strong>
      {mean.margin !== undefined && <span className="muted"> ± {format(mean.margin)}</span>}
    </span>
  );
}
