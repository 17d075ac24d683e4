import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { RequestFailure } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { setSearch, useLocation } from '../../../router/location.ts';
import type { RouteParams } from '../../../router/match-route.ts';
import { PageHeader } from '../../../shell/PageHeader.tsx';
import { tabPath } from '../../dataset/dataset-tabs.ts';
import { bindingPath, evaluatorsPath } from '../forms/form-paths.ts';
import { CalibrationComparison } from './CalibrationComparison.tsx';
import { CalibrationForm } from './CalibrationForm.tsx';
import { CalibrationReport } from './CalibrationReport.tsx';
import {
  describeSource,
  describeVersion,
  formatMeasure,
  formatShare,
  type ListedCalibration,
  STATUS_NAMES,
} from './calibration-data.ts';
import { calibrationJudge, calibrationList, startCalibration } from './generated/calibration.ts';
import { credentialsOfJudge, type Judge } from './judge-data.ts';
import '../evaluators.css';
import './calibration.css';

/** Calibrations of an evaluator: how far it agrees with people, and how its versions differ. */
export function CalibrationPage({ params }: { readonly params: RouteParams }) {
  const datasetId = params.datasetId!;
  const { data, failure, refetch } = useQuery(calibrationJudge, { id: params.evaluatorId! });
  const judge = data?.node.__typename === 'DatasetEvaluator' ? data.node : undefined;
  const problem = failure ?? (data && !judge ? NO_EVALUATOR : undefined);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Datasets', to: '/datasets' },
          { label: judge?.dataset.name ?? '…', to: tabPath(datasetId) },
          { label: 'Evaluators', to: evaluatorsPath(datasetId) },
          ...(judge ? [{ label: judge.name, to: bindingPath(datasetId, judge.id) }] : []),
          { label: 'Calibration' },
        ]}
      />
      {problem ? (
        <Failure failure={problem} onRetry={() => void refetch()} />
      ) : judge ? (
        <Calibrations key={judge.id} judge={judge} />
      ) : (
        <div className="page-body" aria-busy="true" />
      )}
    </>
  );
}

const NO_EVALUATOR = new RequestFailure(
  'notFound',
  'The evaluator does not exist.',
  'The ID does not belong to an evaluator of a dataset. It may have been deleted.',
);

function Calibrations({ judge }: { readonly judge: Judge }) {
  const { may } = useAccess();
  const { search } = useLocation();
  const [isStarting, setStarting] = useState(false);
  const { data, failure, refetch } = useQuery(calibrationList, { id: judge.id });
  const list = data?.node.__typename === 'DatasetEvaluator' ? data.node.calibrations.edges.map(({ node }) => node) : [];
  const compared = search.getAll('compare');
  const shownId = search.get('calibration') ?? list[0]?.id;
  const credentials = credentialsOfJudge(judge);
  const start = may(startCalibration) && (
    <button type="button" className="button primary" onClick={() => setStarting(true)}>
      <Icon name="plus" size={14} /> New calibration
    </button>
  );
  return (
    <>
      {failure ? (
        <Failure failure={failure} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className="page-body" aria-busy="true" />
      ) : list.length === 0 ? (
        <div className="empty">
          <h2>Not calibrated yet</h2>
          <p>
            A calibration runs the evaluator over what people have labelled, and shows how far you can trust it. Label
            at least 50 runs, spans, traces or sessions, then start one.
          </p>
          {start}
        </div>
      ) : (
        <div className="page-body">
          <div className="calibration">
            <div className="calibration-layout">
              <nav className="calibration-list" aria-label="Calibrations">
                {start}
                <ul>
                  {list.map((each) => (
                    <ListItem
                      key={each.id}
                      calibration={each}
                      isShown={compared.length === 0 && each.id === shownId}
                      isCompared={compared.includes(each.id)}
                      canCompare={list.length > 1}
                      onShow={() => setSearch({ calibration: each.id, compare: null })}
                      onCompare={(isOn) =>
                        setSearch({
                          compare: isOn ? [...compared, each.id] : compared.filter((id) => id !== each.id),
                        })
                      }
                    />
                  ))}
                </ul>
                {list.length > 1 && (
                  <p className="muted">Check two or more to compare them. The first one is the base.</p>
                )}
              </nav>
              <div className="calibration-main">
                {compared.length > 1 ? (
                  <CalibrationComparison ids={compared} />
                ) : (
                  shownId !== undefined && (
                    <CalibrationReport
                      key={shownId}
                      id={shownId}
                      credentials={credentials}
                      onDeleted={() => setSearch({ calibration: null }, { replaces: true })}
                      onStatus={(status) => {
                        if (status !== list.find(({ id }) => id === shownId)?.status) void refetch();
                      }}
                    />
                  )
                )}
              </div>
            </div>
          </div>
        </div>
      )}
      {isStarting && (
        <CalibrationForm
          judge={judge}
          credentials={credentials}
          onStarted={(id) => {
            setStarting(false);
            setSearch({ calibration: id, compare: null });
          }}
          onClose={() => setStarting(false)}
        />
      )}
    </>
  );
}

interface ListItemProps {
  readonly calibration: ListedCalibration;
  readonly isShown: boolean;
  readonly isCompared: boolean;
  readonly canCompare: boolean;
  readonly onShow: () => void;
  readonly onCompare: (isOn: boolean) => void;
}

function ListItem({ calibration, isShown, isCompared, canCompare, onShow, onCompare }: ListItemProps) {
  const times = useTimeFormat();
  const { all, status, createdAt } = calibration;
  const version = describeVersion(calibration);
  const title = version ?? describeSource(calibration);
  const result = all.labels
    ? `${formatShare(all.labels.share)}${all.labels.kappa === null ? '' : `, κ ${formatMeasure(all.labels.kappa)}`}`
    : typeof all.scores?.correlation === 'number'
      ? `r ${formatMeasure(all.scores.correlation)}`
      : STATUS_NAMES[status];
  return (
    <li data-shown={isShown}>
      {canCompare && (
        <input
          type="checkbox"
          aria-label={`Compare ${title} of ${times.short(createdAt)}`}
          checked={isCompared}
          onChange={({ target }) => onCompare(target.checked)}
        />
      )}
      <button type="button" aria-current={isShown ? 'true' : undefined} onClick={onShow}>
        <span className="row">
          <strong className="clip grow" dir="auto">
            {title}
          </strong>
          <span>{result}</span>
        </span>
        <span className="muted clip" dir="auto">
          {version === undefined ? '' : `${describeSource(calibration)}, `}
          {times.short(createdAt)}
        </span>
      </button>
    </li>
  );
}
