import { formatScore } from '../../components/annotations/format-score.ts';
import { Tooltip } from '../../components/Tooltip.tsx';
import type { Column } from '../../components/table/column.ts';
import { shownName } from '../../format/names.ts';
import { formatCount } from '../../format/numbers.ts';
import type { TimeFormat } from '../../format/times.ts';
import { Link } from '../../router/Link.tsx';
import { MISSING_CELL } from '../project/spans/detail-columns.tsx';
import { AuthoredMenu } from './AuthoredMenu.tsx';
import { EvaluatorMenu } from './EvaluatorMenu.tsx';
import {
  type DatasetEvaluator,
  type EvaluatorRow,
  evaluatorPath,
  isHead,
  kindOf,
  shortAgreement,
} from './evaluator-row.ts';

/** Columns of the lists of evaluators. The list of all evaluators also names their datasets. */
export function evaluatorColumns(times: TimeFormat, { hasDatasets }: { readonly hasDatasets: boolean }) {
  const columns: Column<EvaluatorRow>[] = [
    {
      id: 'name',
      label: 'Name',
      width: 150,
      grow: 1.2,
      sort: 'name',
      cell: (row) =>
        isHead(row) ? (
          <span className="evaluator-name">
            <strong className="clip" dir="auto" title={row.name}>
              {shownName(row.name)}
            </strong>
            <span className="grow" />
            {row.__typename !== 'BuiltInEvaluator' && <AuthoredMenu evaluator={row} />}
          </span>
        ) : (
          <span className={hasDatasets ? 'evaluator-name is-use' : 'evaluator-name'}>
            <Link to={evaluatorPath(row)} className="clip" title={row.name} dir="auto">
              {shownName(row.name)}
            </Link>
            <span className="grow" />
            <EvaluatorMenu evaluator={row} />
          </span>
        ),
    },
    {
      id: 'kind',
      label: 'Kind',
      width: 66,
      sort: 'kind',
      cell: (row) => (hasDatasets && !isHead(row) ? null : kindOf(row)),
    },
    {
      id: 'dataset',
      label: 'Datasets',
      width: 112,
      grow: 0.8,
      cell: (row) =>
        isHead(row) ? (
          <span className="muted">
            {formatCount(row.datasetEvaluators.length)} {row.datasetEvaluators.length === 1 ? 'dataset' : 'datasets'}
          </span>
        ) : (
          <Link to={`/datasets/${encodeURIComponent(row.dataset.id)}/evaluators`} className="clip" dir="auto">
            {shownName(row.dataset.name)}
          </Link>
        ),
    },
    {
      id: 'description',
      label: 'Description',
      width: 100,
      grow: 1.2,
      cell: ({ description }) =>
        description ? (
          <span className="clip" dir="auto" title={description.slice(0, 500)}>
            {description}
          </span>
        ) : (
          MISSING_CELL
        ),
    },
    {
      id: 'prompt',
      label: 'Prompt',
      width: 130,
      grow: 1.2,
      cell: (row) =>
        isHead(row) || row.evaluator.__typename !== 'LLMEvaluator' ? null : <Prompt evaluator={row.evaluator} />,
    },
    { id: 'results', label: 'Recent results', width: 116, cell: (row) => (isHead(row) ? null : <Results of={row} />) },
    {
      id: 'agreement',
      label: 'Agreement with people',
      width: 152,
      cell: (row) => (isHead(row) ? null : <Agreement of={row} />),
    },
    {
      id: 'modified',
      label: 'Modified',
      width: 132,
      sort: 'updatedAt',
      cell: (row) => <span title={times.full(row.updatedAt)}>{times.short(row.updatedAt)}</span>,
    },
    {
      id: 'user',
      label: 'User',
      width: 90,
      isHiddenAtFirst: true,
      cell: (row) => (isHead(row) ? null : (row.user?.username ?? MISSING_CELL)),
    },
  ];
  return hasDatasets ? columns : columns.filter(({ id }) => id !== 'dataset');
}

type LlmEvaluator = Extract<DatasetEvaluator['evaluator'], { readonly __typename: 'LLMEvaluator' }>;

/** Name of the prompt, with the tag of its version. */
export const Prompt = ({ evaluator: { prompt, promptVersionTag } }: { readonly evaluator: LlmEvaluator }) => (
  <span className="clip" dir="auto" title={prompt.name}>
    {prompt.name} <span className="muted">{promptVersionTag?.name ?? 'newest version'}</span>
  </span>
);

/** Mean score in the newest experiments, and the number of scores. */
export function Results({ of: { recentResults } }: { readonly of: Pick<DatasetEvaluator, 'recentResults'> }) {
  if (!recentResults) return MISSING_CELL;
  const { meanScore, scoreCount, labelCount, experimentCount, errorCount } = recentResults;
  const count = Math.max(scoreCount, labelCount);
  const title = [
    `${formatCount(count)} results of ${formatCount(experimentCount)} ${experimentCount === 1 ? 'experiment' : 'experiments'}`,
    ...(errorCount > 0 ? [`${formatCount(errorCount)} failed`] : []),
  ].join(', ');
  return (
    <span className="clip" title={title}>
      {meanScore !== null && formatScore(meanScore)}{' '}
      <span className="muted">n = {formatCount(meanScore === null ? labelCount : scoreCount)}</span>
    </span>
  );
}

function Agreement({ of }: { readonly of: DatasetEvaluator }) {
  const text = shortAgreement(of);
  if (text === undefined || !of.agreement) return MISSING_CELL;
  return (
    <Tooltip text={<p className="evaluator-tooltip">{of.agreement.sentence}</p>}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip also opens with the focus */}
      <span className="clip" tabIndex={0}>
        {text}
      </span>
    </Tooltip>
  );
}
