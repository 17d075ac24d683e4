import type { ReactNode } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { RequestFailure } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { navigate } from '../../../router/location.ts';
import { EvaluatorMenu } from '../../evaluators/EvaluatorMenu.tsx';
import { Prompt, Results } from '../../evaluators/evaluator-columns.tsx';
import { type DatasetEvaluator, kindOf } from '../../evaluators/evaluator-row.ts';
import { languageName } from '../../evaluators/forms/code-samples.ts';
import { calibrationPath, editEvaluatorPath } from '../../evaluators/forms/form-paths.ts';
import { updateLlmEvaluator } from '../../evaluators/forms/generated/forms.ts';
import { evaluatorDetails } from '../../evaluators/generated/evaluators.ts';
import { promptPath } from '../../prompts/prompt-row.ts';
import '../../evaluators/evaluators.css';
import { tabPath } from '../dataset-tabs.ts';
import { CodeVersions } from './CodeVersions.tsx';
import '../experiments/experiments.css';

interface EvaluatorDetailsProps {
  readonly datasetId: string;
  readonly evaluatorId: string;
}

/** An evaluator of a dataset: results, agreement with people, configuration and mapping. */
export function EvaluatorDetails({ datasetId, evaluatorId }: EvaluatorDetailsProps) {
  const times = useTimeFormat();
  const { may } = useAccess();
  const { data, failure, refetch } = useQuery(evaluatorDetails, { id: evaluatorId });
  const evaluator = data?.node.__typename === 'DatasetEvaluator' ? data.node : undefined;
  const problem = failure ?? (data && !evaluator ? NO_EVALUATOR : undefined);
  if (problem) return <Failure failure={problem} onRetry={() => void refetch()} />;
  if (!evaluator) return <div className="page-body" aria-busy="true" />;
  const { name, description, updatedAt, user, project, agreement, inputMapping } = evaluator;
  const list = tabPath(datasetId, 'evaluators');
  return (
    <div className="page-body">
      <article className="experiment-details">
        <header className="experiment-head">
          <div className="row">
            <Link to={list} className="button bare small">
              <Icon name="left" size={12} /> Evaluators
            </Link>
            <span className="grow" />
            {may(updateLlmEvaluator) && (
              <Link to={editEvaluatorPath(datasetId, evaluatorId)} className="button small">
                <Icon name="edit" size={12} /> Edit
              </Link>
            )}
            <Link to={calibrationPath(datasetId, evaluatorId)} className="button small">
              <Icon name="compare" size={12} /> Calibration
            </Link>
            <EvaluatorMenu evaluator={evaluator} onDeleted={() => navigate(list)} />
          </div>
          <h2 dir="auto">{name}</h2>
          {description && (
            <p className="muted" dir="auto">
              {description}
            </p>
          )}
        </header>
        <section className="card experiment-section" aria-label="Overview">
          <h3>Overview</h3>
          <dl className="experiment-facts">
            <Fact name="Kind">{kindOf(evaluator)}</Fact>
            {evaluator.evaluator.__typename === 'LLMEvaluator' ? (
              <>
                <Fact name="Prompt">
                  <Link to={promptPath(evaluator.evaluator.prompt.id)}>
                    <Prompt evaluator={evaluator.evaluator} />
                  </Link>
                </Fact>
                <Fact name="Model">{evaluator.evaluator.promptVersion.modelName}</Fact>
              </>
            ) : evaluator.evaluator.__typename === 'CodeEvaluator' ? (
              <>
                <Fact name="Language">{languageName(evaluator.evaluator.language)}</Fact>
                <Fact name="Version">{formatCount(evaluator.evaluator.versionCount)}</Fact>
                <Fact name="Sandbox">
                  {evaluator.evaluator.sandboxConfig
                    ? `${evaluator.evaluator.sandboxConfig.name}, ${evaluator.evaluator.sandboxConfig.timeout} s`
                    : 'none'}
                </Fact>
              </>
            ) : (
              evaluator.evaluator.__typename === 'BuiltInEvaluator' && (
                <Fact name="Built-in evaluator">{evaluator.evaluator.name}</Fact>
              )
            )}
            <Fact name="Recent results">
              <Results of={evaluator} />
            </Fact>
            <Fact name="Modified">
              <span title={times.full(updatedAt)}>{times.short(updatedAt)}</span>
              {user && <span className="muted"> by {user.username}</span>}
            </Fact>
            <Fact name="Traces">
              <Link to={`/projects/${encodeURIComponent(project.id)}/spans`}>Show spans of its runs</Link>
            </Fact>
          </dl>
        </section>
        <section className="card experiment-section" aria-label="Agreement with people">
          <h3>Agreement with people</h3>
          {agreement ? (
            <p>{agreement.sentence}</p>
          ) : (
            <p className="muted">
              No run has both a result of this evaluator and an annotation of a person with the name {name}. Annotate
              runs in the comparison of experiments to see how far you can trust it.
            </p>
          )}
          <p>
            <Link to={calibrationPath(datasetId, evaluatorId)}>Run it over what people have labelled</Link> to see where
            it disagrees with them.
          </p>
        </section>
        <section className="card experiment-section" aria-label="Inputs">
          <h3>Inputs</h3>
          <Mapping mapping={inputMapping} />
        </section>
        <section className="card experiment-section" aria-label="Outputs">
          <h3>Outputs</h3>
          <Outputs configs={evaluator.outputConfigs} />
        </section>
        {evaluator.evaluator.__typename === 'CodeEvaluator' && <CodeVersions codeId={evaluator.evaluator.id} />}
      </article>
    </div>
  );
}

const NO_EVALUATOR = new RequestFailure(
  'notFound',
  'The evaluator does not exist.',
  'The ID does not belong to an evaluator of a dataset. It may have been deleted.',
);

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Mapping({ mapping: { pathMapping, literalMapping } }: { readonly mapping: DatasetEvaluator['inputMapping'] }) {
  const rows = [
    ...Object.entries(pathMapping as object).map(([name, value]) => [name, 'Path', value] as const),
    ...Object.entries(literalMapping as object).map(([name, value]) => [name, 'Fixed', value] as const),
  ];
  if (rows.length === 0) return <p className="muted">Inputs are the values of the example with the same names.</p>;
  return (
    <table className="experiment-scores">
      <thead>
        <tr>
          <th>Input</th>
          <th>Value</th>
          <th>Source</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, source, value]) => (
          <tr key={`${source} ${name}`}>
            <th scope="row">{name}</th>
            <td>{source === 'Path' ? <code>{String(value)}</code> : <JsonView value={value} />}</td>
            <td className="muted">{source}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const DIRECTIONS: ReadonlyMap<string, string> = new Map([
  ['MAXIMIZE', 'higher is better'],
  ['MINIMIZE', 'lower is better'],
]);

function Outputs({ configs }: { readonly configs: DatasetEvaluator['outputConfigs'] }) {
  return (
    <ul className="tag-list">
      {configs.map((config) => {
        if (config.__typename === 'CategoricalAnnotationConfig') {
          const labels = config.values.map(({ label, score }) => (score === null ? label : `${label} = ${score}`));
          return (
            <li key={config.name}>
              <strong>{config.name}</strong> {labels.join(', ')}{' '}
              <span className="muted">{DIRECTIONS.get(config.optimizationDirection)}</span>
            </li>
          );
        }
        if (config.__typename === 'ContinuousAnnotationConfig') {
          const { name, lowerBound, upperBound, optimizationDirection } = config;
          return (
            <li key={name}>
              <strong>{name}</strong> a score {lowerBound !== null && `from ${lowerBound}`}{' '}
              {upperBound !== null && `to ${upperBound}`}{' '}
              <span className="muted">{DIRECTIONS.get(optimizationDirection)}</span>
            </li>
          );
        }
        return config.__typename === 'FreeformAnnotationConfig' ? <li key={config.name}>{config.name}</li> : null;
      })}
    </ul>
  );
}
