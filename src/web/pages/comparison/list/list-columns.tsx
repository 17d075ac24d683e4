import { formatScore } from '../../../components/annotations/format-score.ts';
import { Icon } from '../../../components/Icon.tsx';
import type { Column } from '../../../components/table/column.ts';
import { formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import { toReadable } from '../grid/cell-text.ts';
import { tracePath } from '../row/trace-path.ts';
import type { ListedRun } from './listed-run.ts';

const CHARS_MAX = 400;

const textOf = (value: unknown): string =>
  (typeof value === 'string'
    ? value
    : toReadable({ text: JSON.stringify(value) ?? '', isJson: true, isCut: false })
  ).slice(0, CHARS_MAX);

interface ListColumns {
  /** Names of scores with the mean of each. */
  readonly scores: readonly { readonly annotationName: string; readonly meanScore: number | null }[];
  readonly averageLatencyMs: number | null;
}

/** Columns of the runs of one experiment. Headers of measures have the mean over all runs. */
export function listColumns({ scores, averageLatencyMs }: ListColumns): readonly Column<ListedRun>[] {
  return [
    {
      id: 'example',
      label: 'Example',
      width: 84,
      cell: ({ example }) => <span title={example.externalId ?? example.id}>{example.externalId ?? example.id}</span>,
    },
    { id: 'input', label: 'Input', width: 150, grow: 2, cell: ({ example }) => textOf(example.revision.input) },
    {
      id: 'reference',
      label: 'Reference',
      width: 120,
      grow: 1,
      cell: ({ example }) => textOf(example.revision.output),
    },
    {
      id: 'output',
      label: 'Output',
      width: 160,
      grow: 2,
      cell: ({ error, output }) =>
        error === null ? (
          textOf(output)
        ) : (
          <span title={error.slice(0, 1_000)}>
            <span className="status-error">Error</span> {error.slice(0, CHARS_MAX)}
          </span>
        ),
    },
    { id: 'repetition', label: 'Rep.', width: 50, isNumber: true, cell: ({ repetitionNumber }) => repetitionNumber },
    ...scores.map(
      ({ annotationName, meanScore }): Column<ListedRun> => ({
        id: `score:${annotationName}`,
        label: annotationName,
        head: <Head name={annotationName} mean={meanScore === null ? undefined : formatScore(meanScore)} />,
        width: 120,
        isNumber: true,
        sort: `score:${annotationName}`,
        cell: ({ annotations }) => {
          const found = annotations.edges.find(({ node }) => node.name === annotationName)?.node;
          if (!found) return '';
          const score = found.score === null ? undefined : formatScore(found.score);
          return <span title={found.explanation?.slice(0, 500)}>{[found.label, score].filter(Boolean).join(' ')}</span>;
        },
      }),
    ),
    {
      id: 'latency',
      label: 'Latency',
      head: <Head name="Latency" mean={formatLatency(averageLatencyMs)} />,
      width: 108,
      isNumber: true,
      sort: 'latencyMs',
      cell: ({ latencyMs }) => formatLatency(latencyMs),
    },
    {
      id: 'tokens',
      label: 'Tokens',
      width: 74,
      isNumber: true,
      cell: ({ costSummary }) => formatCount(costSummary.total.tokens),
    },
    {
      id: 'cost',
      label: 'Cost',
      width: 78,
      isNumber: true,
      cell: ({ costSummary }) => formatSmallCost(costSummary.total.cost),
    },
    {
      id: 'trace',
      label: 'Trace',
      width: 52,
      cell: ({ traceId, trace }) =>
        traceId !== null && (
          <Link to={tracePath(traceId, trace?.project.id)} aria-label="Open the trace">
            <Icon name="tracing" size={13} />
          </Link>
        ),
    },
  ];
}

function Head({ name, mean }: { readonly name: string; readonly mean: string | undefined }) {
  return (
    <>
      <span className="clip">{name}</span>
      {mean !== undefined && (
        <span className="head-mean" title="Mean over all runs">
          ⌀ {mean}
        </span>
      )}
    </>
  );
}
