import { useAccess } from '../../access/use-access.ts';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { formatCount } from '../../format/numbers.ts';
import { Link } from '../../router/Link.tsx';
import { navigate } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { useVisit } from '../../shell/visits.ts';
import { TimeRangePicker } from '../../time-range/TimeRangePicker.tsx';
import { NotFoundPage } from '../not-found/NotFoundPage.tsx';
import { playgroundPath } from '../playground/state/paths.ts';
import { PromptMenu } from '../prompts/PromptMenu.tsx';
import { promptPath } from '../prompts/prompt-row.ts';
import { usePromptHead } from './prompt-head.ts';
import { TABS } from './prompt-tabs.ts';
import './prompt.css';

/** A prompt: its latest version, all versions, their calls in production, and its configuration. */
export function PromptPage({ params }: { readonly params: RouteParams }) {
  const tab = params.tab === undefined ? TABS[0] : TABS.find(({ id }) => id !== '' && id === params.tab);
  if (!tab || (params.versionId !== undefined && tab.id !== 'versions')) return <NotFoundPage />;
  return <Prompt key={params.promptId} promptId={params.promptId!} tab={tab} versionId={params.versionId} />;
}

interface PromptProps {
  readonly promptId: string;
  readonly tab: (typeof TABS)[number];
  readonly versionId: string | undefined;
}

function Prompt({ promptId, tab: { id: tabId, label, Tab }, versionId }: PromptProps) {
  const { prompt, failure, refetch } = usePromptHead(promptId);
  const { may } = useAccess();
  const path = promptPath(promptId);
  useVisit(prompt && { kind: 'prompt', path, label: prompt.name }, path, failure);
  const onChange = () => void refetch();
  return (
    <>
      <PageHeader crumbs={[{ label: 'Prompts', to: '/prompts' }, { label: prompt?.name ?? '…' }]}>
        {tabId === 'production' && <TimeRangePicker />}
        {prompt && tabId === '' && may('member') && (
          <Link to={playgroundPath({ promptId })} className="button">
            <Icon name="playground" size={14} /> Open in playground
          </Link>
        )}
        {prompt && (
          <PromptMenu prompt={prompt} onChanged={onChange} onDeleted={() => navigate('/prompts', { replaces: true })} />
        )}
      </PageHeader>
      {failure ? (
        <Failure failure={failure} onRetry={refetch} />
      ) : (
        <div className="prompt-page">
          <nav className="tabs prompt-tabs" aria-label="Views of the prompt">
            {TABS.map(({ id, label: name }) => (
              <Link
                key={id}
                to={id === '' ? path : promptPath(promptId, id)}
                {...(id === tabId ? { 'aria-current': 'page' } : {})}
              >
                {name}
                {id === 'versions' && prompt && (
                  <span className="muted prompt-count">{formatCount(prompt.versionCount)}</span>
                )}
              </Link>
            ))}
          </nav>
          {prompt && (
            <FailureBoundary name={label} key={tabId}>
              <Tab prompt={prompt} versionId={versionId} onChange={onChange} />
            </FailureBoundary>
          )}
        </div>
      )}
    </>
  );
}
