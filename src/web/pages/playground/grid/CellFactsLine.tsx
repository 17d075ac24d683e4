import { Icon } from '../../../components/Icon.tsx';
import { ReusedMark } from '../../../components/values/ReusedMark.tsx';
import { formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import type { Cell } from '../run/cell.ts';
import { tokensOf } from '../run/statistics.ts';

/** Latency, time to the first text, tokens, cost and trace of an output, as far as they are known. */
export function CellFactsLine({ cell: { facts, firstMs, status } }: { readonly cell: Cell }) {
  if (!facts && firstMs === undefined) return null;
  const tokens = tokensOf(facts);
  return (
    <>
      {facts?.latencyMs != null && <span title="Latency">{formatLatency(facts.latencyMs)}</span>}
      {firstMs !== undefined && status !== 'stopped' && (
        <span className="muted" title="Time to the first text">
          first {formatLatency(firstMs)}
        </span>
      )}
      {tokens !== undefined && (
        <span
          className="muted"
          title={`${formatCount(facts!.promptTokens)} tokens of the prompt, ${formatCount(facts!.completionTokens)} of the response`}
        >
          {formatCount(tokens)} tok
        </span>
      )}
      {facts?.cost != null && <span title="Cost">{formatSmallCost(facts.cost)}</span>}
      {facts?.isCached && <ReusedMark />}
      {facts?.traceId && facts.projectId && (
        <Link
          className="output-trace"
          to={`/projects/${facts.projectId}/spans/${facts.traceId}`}
          aria-label="Open the trace"
          title="Open the trace"
        >
          <Icon name="tracing" size={12} />
        </Link>
      )}
    </>
  );
}
