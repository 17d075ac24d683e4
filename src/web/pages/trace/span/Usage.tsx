import { at, parseAttributes } from '../../../../semconv/read-open-inference.ts';
import { Tooltip } from '../../../components/Tooltip.tsx';
import { formatCost, formatCount, MISSING } from '../../../format/numbers.ts';
import type { SpanDetails } from './span-details.ts';

interface UsageRow {
  readonly label: string;
  readonly tokens: number | null;
  readonly cost: number | null;
  /** Whether the row is a part of the row above. */
  readonly isPart: boolean;
}

/** Tokens and cost of a span. Details by kind of token are shown on demand. */
export function Usage({ span }: { readonly span: SpanDetails }) {
  const rows = toRows(span);
  const cost = span.costSummary?.total.cost;
  return (
    <Tooltip
      text={
        <table className="usage">
          <thead>
            <tr>
              <th>Tokens</th>
              <th>Count</th>
              <th>Cost</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, tokens, cost: part, isPart }) => (
              <tr key={label} data-part={isPart}>
                <th scope="row">{label}</th>
                <td>{formatCount(tokens)}</td>
                <td>
                  {part === null ? MISSING : part < 0.01 && part > 0 ? `$${part.toPrecision(2)}` : formatCost(part)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      <button type="button" className="plain-button span-facts">
        <span className="fact">
          <span>Tokens</span>
          {span.tokenCountTotal === null ? (
            <span>{MISSING}</span>
          ) : (
            <strong>
              {formatCount(span.tokenCountPrompt)} → {formatCount(span.tokenCountCompletion)}
            </strong>
          )}
        </span>
        {cost != null && (
          <span className="fact">
            <span>Cost</span>
            <strong>{formatCost(cost)}</strong>
          </span>
        )}
      </button>
    </Tooltip>
  );
}

/** Rows of the details. A row has a cost if the server has split the cost. */
const DETAILS = {
  prompt: ['cache_read', 'cache_write', 'cache_input', 'audio'],
  completion: ['reasoning', 'audio'],
} as const;

function toRows(span: SpanDetails): readonly UsageRow[] {
  const attributes = parseAttributes(span.attributes);
  const entries = span.costDetailSummaryEntries;
  const side = (name: 'prompt' | 'completion', tokens: number | null): readonly UsageRow[] => {
    const isPrompt = name === 'prompt';
    const parts = DETAILS[name].flatMap((detail) => {
      const counted = at(attributes, `llm.token_count.${name}_details.${detail}`);
      const priced = entries.find((entry) => entry.isPrompt === isPrompt && entry.tokenType === detail)?.value;
      const count = typeof counted === 'number' ? counted : (priced?.tokens ?? null);
      if (count === null) return [];
      return [
        { label: `${name} ${detail.replace('_', ' ')}`, tokens: count, cost: priced?.cost ?? null, isPart: true },
      ];
    });
    return [{ label: name, tokens, cost: span.costSummary?.[name].cost ?? null, isPart: false }, ...parts];
  };
  return [
    ...side('prompt', span.tokenCountPrompt),
    ...side('completion', span.tokenCountCompletion),
    { label: 'total', tokens: span.tokenCountTotal, cost: span.costSummary?.total.cost ?? null, isPart: false },
  ];
}
