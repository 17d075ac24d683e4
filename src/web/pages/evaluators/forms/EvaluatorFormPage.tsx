import type { ReactNode } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Failure } from '../../../components/Failure.tsx';
import { RequestFailure } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { useLocation } from '../../../router/location.ts';
import type { RouteParams } from '../../../router/match-route.ts';
import { PageHeader } from '../../../shell/PageHeader.tsx';
import { useDatasetHead } from '../../dataset/dataset-head.ts';
import { tabPath } from '../../dataset/dataset-tabs.ts';
import { NotFoundPage } from '../../not-found/NotFoundPage.tsx';
import { BuiltInForm } from './BuiltInForm.tsx';
import { CodeForm } from './CodeForm.tsx';
import { bindingPath, evaluatorsPath, type FormKind } from './form-paths.ts';
import {
  codeForm,
  createBuiltInEvaluator,
  createCodeEvaluator,
  createLlmEvaluator,
  evaluatorForm,
} from './generated/forms.ts';
import { LlmForm } from './LlmForm.tsx';
import '../evaluators.css';
import './forms.css';

/** Form of a new evaluator of a dataset, or of one that is changed. */
export function EvaluatorFormPage({ params }: { readonly params: RouteParams }) {
  const datasetId = params.datasetId!;
  const { evaluatorId, kind } = params;
  if (evaluatorId !== undefined)
    return <StoredForm key={evaluatorId} datasetId={datasetId} evaluatorId={evaluatorId} />;
  if (!isKind(kind)) return <NotFoundPage />;
  return <NewForm key={kind} datasetId={datasetId} kind={kind} />;
}

const NEW = {
  llm: { title: 'New LLM evaluator', operation: createLlmEvaluator },
  code: { title: 'New code evaluator', operation: createCodeEvaluator },
  'built-in': { title: 'New built-in evaluator', operation: createBuiltInEvaluator },
} as const;

const isKind = (kind: string | undefined): kind is FormKind => kind !== undefined && Object.hasOwn(NEW, kind);

function NewForm({ datasetId, kind }: { readonly datasetId: string; readonly kind: FormKind }) {
  const { search } = useLocation();
  const { title } = NEW[kind];
  const codeId = kind === 'code' ? search.get('evaluator') : null;
  return (
    <Page datasetId={datasetId} title={title}>
      {kind === 'llm' && <LlmForm datasetId={datasetId} />}
      {kind === 'built-in' && <BuiltInForm datasetId={datasetId} />}
      {kind === 'code' &&
        (codeId === null ? (
          <CodeForm datasetId={datasetId} />
        ) : (
          <StoredCodeForm datasetId={datasetId} codeId={codeId} />
        ))}
    </Page>
  );
}

function StoredForm({ datasetId, evaluatorId }: { readonly datasetId: string; readonly evaluatorId: string }) {
  const { data, failure, refetch } = useQuery(evaluatorForm, { id: evaluatorId });
  const binding = data?.node.__typename === 'DatasetEvaluator' ? data.node : undefined;
  const problem = failure ?? (data && !binding ? NO_EVALUATOR : undefined);
  return (
    <Page
      datasetId={datasetId}
      title="Edit"
      {...(binding && { item: { label: binding.name, to: bindingPath(datasetId, binding.id) } })}
    >
      {problem ? (
        <Failure failure={problem} onRetry={() => void refetch()} />
      ) : !binding ? (
        <div className="page-body" aria-busy="true" />
      ) : binding.evaluator.__typename === 'LLMEvaluator' ? (
        <LlmForm datasetId={datasetId} stored={{ binding, evaluator: binding.evaluator }} />
      ) : binding.evaluator.__typename === 'BuiltInEvaluator' ? (
        <BuiltInForm datasetId={datasetId} stored={{ binding, evaluator: binding.evaluator }} />
      ) : (
        <StoredCodeForm datasetId={datasetId} codeId={binding.evaluator.id} binding={binding} />
      )}
    </Page>
  );
}

type StoredCodeProps = { readonly datasetId: string; readonly codeId: string } & Pick<
  Parameters<typeof CodeForm>[0],
  'binding'
>;

function StoredCodeForm({ datasetId, codeId, binding }: StoredCodeProps) {
  const { data, failure, refetch } = useQuery(codeForm, { id: codeId });
  const code = data?.node.__typename === 'CodeEvaluator' ? data.node : undefined;
  const problem = failure ?? (data && !code ? NO_EVALUATOR : undefined);
  if (problem) return <Failure failure={problem} onRetry={() => void refetch()} />;
  if (!code) return <div className="page-body" aria-busy="true" />;
  return <CodeForm datasetId={datasetId} code={code} binding={binding} />;
}

const NO_EVALUATOR = new RequestFailure(
  'notFound',
  'The evaluator does not exist.',
  'The ID does not belong to an evaluator. It may have been deleted.',
);

interface PageProps {
  readonly datasetId: string;
  readonly title: string;
  /** The evaluator that is changed. */
  readonly item?: { readonly label: string; readonly to: string };
  readonly children: ReactNode;
}

/** Heading and rights of the form. */
function Page({ datasetId, title, item, children }: PageProps) {
  const { dataset, failure, refetch } = useDatasetHead(datasetId);
  const { may, isKnown } = useAccess();
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Datasets', to: '/datasets' },
          { label: dataset?.name ?? '…', to: tabPath(datasetId) },
          { label: 'Evaluators', to: evaluatorsPath(datasetId) },
          ...(item ? [item] : []),
          { label: title },
        ]}
      />
      {failure ? (
        <Failure failure={failure} onRetry={() => void refetch()} />
      ) : may(createLlmEvaluator) ? (
        children
      ) : (
        isKnown && (
          <div className="empty">
            <h2>You can read evaluators, but not change them</h2>
            <p>Ask an administrator for the role of a member.</p>
          </div>
        )
      )}
    </>
  );
}
