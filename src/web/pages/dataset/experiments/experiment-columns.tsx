import { Icon } from '../../../components/Icon.tsx';
import { Tooltip } from '../../../components/Tooltip.tsx';
import type { Column } from '../../../components/table/column.ts';
import { formatAge } from '../../../format/ages.ts';
import { shownName } from '../../../format/names.ts';
import { formatCost, formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import type { TimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { MISSING_CELL } from '../../project/spans/detail-columns.tsx';
import { tabPath } from '../dataset-tabs.ts';
import { ExperimentMenu } from './ExperimentMenu.tsx';
import { type Experiment, type ExperimentRow, formatShare } from './experiment-row.ts';
import { RunProgress } from './RunProgress.tsx';
import { ScoreBar, ScoreCell, type ScoreRange } from './ScoreCell.tsx';
import type { ExperimentCost } from './use-experiments.ts';

interface ColumnsContext {
  readonly datasetId: string;
  readonly times: TimeFormat;
  /** Range of the scores of each annotation. */
  readonly ranges: ReadonlyMap<string, ScoreRange>;
  readonly costs: ReadonlyMap<string, ExperimentCost>;
}

const isGroup = (row: ExperimentRow) => row.__typename === 'Group';

/** A column that is empty in heads of groups. */
const column = (
  id: string,
  label: string,
  width: number,
  cell: (experiment: Experiment) => React.ReactNode,
  more: Partial<Column<ExperimentRow>> = {},
): Column<ExperimentRow> => ({
  id,
  label,
  width,
  cell: (row) => (row.__typename === 'Group' ? null : cell(row)),
  ...more,
});

const NUMBER = { isNumber: true };
const HIDDEN = { isHiddenAtFirst: true };

/** Columns of the table of experiments, with one per annotation. */
export function experimentColumns({ datasetId, times, ranges, costs }: ColumnsContext): Column<ExperimentRow>[] {
  const cost = (experiment: Experiment, show: (cost: ExperimentCost) => React.ReactNode) => {
    const found = costs.get(experiment.id);
    return found ? show(found) : null;
  };
  return [
    column('number', '#', 40, ({ sequenceNumber }) => <span className="muted">{sequenceNumber}</span>, NUMBER),
    {
      id: 'name',
      label: 'Name',
      width: 200,
      grow: 3,
      sort: 'name',
      cell: (row) =>
        row.__typename === 'Group' ? (
          <strong className="clip group-head" dir="auto" title={row.group.value ?? undefined}>
            {row.group.value === null ? `Without ${row.key}` : `${row.key}: ${row.group.value}`}
          </strong>
        ) : (
          <NameCell datasetId={datasetId} experiment={row} />
        ),
    },
    column('description', 'Description', 90, ({ description }) => <Text text={description} />, { grow: 1 }),
    ...[...ranges].map(
      ([name, range]): Column<ExperimentRow> => ({
        id: `score.${name}`,
        label: name,
        width: 106,
        sort: `score.${name}`,
        cell: (row) => {
          if (row.__typename !== 'Group') {
            const summary = row.annotationSummaries.find(({ annotationName }) => annotationName === name);
            return <ScoreCell summary={summary} range={range} />;
          }
          const score = row.group.scores.find(({ annotationName }) => annotationName === name);
          return (
            score && (
              <span className="score-cell group-mean">
                <ScoreBar mean={score.meanScore} range={range} />
              </span>
            )
          );
        },
      }),
    ),
    {
      id: 'runs',
      label: 'Runs',
      width: 92,
      sort: 'runCount',
      cell: (row) =>
        row.__typename === 'Group' ? (
          <span className="muted">
            {formatCount(row.group.experimentCount)} {row.group.experimentCount === 1 ? 'experiment' : 'experiments'}
          </span>
        ) : (
          <RunProgress experiment={row} />
        ),
    },
    {
      id: 'latency',
      label: 'Latency',
      width: 70,
      isNumber: true,
      sort: 'averageRunLatencyMs',
      cell: (row) => formatLatency(isGroup(row) ? row.group.averageRunLatencyMs : row.averageRunLatencyMs),
    },
    column('tokens', 'Tokens', 64, (row) => cost(row, ({ total }) => formatCount(total.tokens)), NUMBER),
    column('cost', 'Cost', 72, (row) => cost(row, (found) => <CostCell cost={found} />), NUMBER),
    {
      id: 'errorRate',
      label: 'Errors',
      width: 58,
      isNumber: true,
      sort: 'errorRate',
      cell: (row) => <ErrorShare share={isGroup(row) ? row.group.errorRate : row.errorRate} />,
    },
    column('repetitions', 'Repetitions', 84, ({ repetitions }) => repetitions, { ...NUMBER, sort: 'repetitions' }),
    column(
      'splits',
      'Splits',
      100,
      ({ datasetSplits }) => <Text text={datasetSplits.edges.map(({ node }) => node.name).join(', ')} />,
      HIDDEN,
    ),
    column('user', 'User', 90, ({ user }) => <Text text={user?.username} />, HIDDEN),
    column('metadata', 'Metadata', 150, ({ metadata }) => <Text text={toText(metadata)} />, HIDDEN),
    column(
      'created',
      'Created',
      84,
      ({ createdAt }) => <span title={times.full(createdAt)}>{formatAge(createdAt)}</span>,
      { sort: 'createdAt' },
    ),
  ];
}

function NameCell({ datasetId, experiment }: { readonly datasetId: string; readonly experiment: Experiment }) {
  const { id, name, isBaseline, tags } = experiment;
  return (
    <span className="experiment-name">
      <Link to={tabPath(datasetId, 'experiments', id)} className="clip" title={name} dir="auto">
        {shownName(name)}
      </Link>
      {isBaseline && (
        <span className="experiment-tag is-baseline">
          <Icon name="flag" size={11} /> baseline
        </span>
      )}
      {tags
        .filter((tag) => tag.name !== 'baseline')
        .map((tag) => (
          <span key={tag.id} className="experiment-tag clip" title={tag.name}>
            {tag.name}
          </span>
        ))}
      <span className="grow" />
      <ExperimentMenu datasetId={datasetId} experiment={experiment} />
    </span>
  );
}

const Text = ({ text }: { readonly text: string | null | undefined }) =>
  text ? (
    <span className="clip" dir="auto" title={text.slice(0, 500)}>
      {text}
    </span>
  ) : (
    MISSING_CELL
  );

const toText = (metadata: unknown): string => {
  const text = JSON.stringify(metadata);
  return text === '{}' ? '' : text;
};

export const ErrorShare = ({ share }: { readonly share: number | null }) =>
  share !== null && share > 0 ? <span className="error-text">{formatShare(share)}</span> : formatShare(share);

function CostCell({ cost: { total, prompt, completion } }: { readonly cost: ExperimentCost }) {
  const parts = [
    ['Prompt', prompt],
    ['Completion', completion],
    ['Total', total],
  ] as const;
  return (
    <Tooltip
      text={
        <div className="distribution">
          <dl>
            {parts.map(([name, part]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {formatSmallCost(part.cost)} · {formatCount(part.tokens)} tokens
                </dd>
              </div>
            ))}
          </dl>
        </div>
      }
    >
      <span>{formatCost(total.cost)}</span>
    </Tooltip>
  );
}
