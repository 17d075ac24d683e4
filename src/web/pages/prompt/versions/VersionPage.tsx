import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { useTimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { setSearch, useLocation } from '../../../router/location.ts';
import { playgroundPath } from '../../playground/state/paths.ts';
import { promptPath } from '../../prompts/prompt-row.ts';
import { VersionCode } from '../code/VersionCode.tsx';
import { ClonePrompt } from '../dialogs/ClonePrompt.tsx';
import { clonePrompt } from '../generated/prompt.ts';
import { type PromptTabProps, useVersion } from '../prompt-head.ts';
import { VersionView } from '../version/VersionView.tsx';
import { VersionChanges } from './VersionChanges.tsx';
import { VersionTags } from './VersionTags.tsx';

const VIEWS = [
  ['prompt', 'Prompt'],
  ['changes', 'Changes'],
] as const;

interface VersionPageProps extends PromptTabProps {
  readonly versionId: string;
}

/** One version: its content, or its differences from another version. */
export function VersionPage({ prompt, versionId, onChange }: VersionPageProps) {
  const { search } = useLocation();
  const times = useTimeFormat();
  const { may } = useAccess();
  const { version, failure, refetch } = useVersion(prompt.id, versionId);
  const [isCloning, setCloning] = useState(false);
  const view = search.get('view') === 'changes' ? 'changes' : 'prompt';
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  if (!version) return <div className="skeleton prompt-skeleton" />;
  return (
    <div className="page-body">
      <header className="version-head">
        <div className="row version-title">
          <h2>
            Version {version.sequenceNumber} {version.isLatest && <span className="muted">latest</span>}
          </h2>
          <VersionTags
            prompt={prompt}
            version={version}
            onChange={() => {
              onChange();
              void refetch();
            }}
          />
          <span className="grow" />
          <CopyButton text={version.id} label="Copy version ID" />
          {may('member') && (
            <Link className="button small" to={playgroundPath({ promptId: prompt.id, promptVersionId: version.id })}>
              <Icon name="playground" size={13} /> Open in playground
            </Link>
          )}
          {may(clonePrompt) && (
            <button type="button" className="button small" onClick={() => setCloning(true)}>
              Clone
            </button>
          )}
          <Switch
            label="View of the version"
            values={VIEWS}
            value={view}
            onChange={(next) => setSearch(next === 'changes' ? { view: next } : { view: null, base: null })}
          />
        </div>
        <p className="muted">
          {version.user ? `${version.user.username}, ` : ''}
          {times.full(version.createdAt)}
          {' · '}
          <Link to={promptPath(prompt.id, 'versions')}>All versions</Link>
        </p>
        {version.description && <TextView text={version.description} />}
      </header>
      {view === 'changes' ? (
        <VersionChanges prompt={prompt} version={version} />
      ) : (
        <div className="prompt-main">
          <VersionView version={version} />
          <VersionCode prompt={prompt} version={version} />
        </div>
      )}
      {isCloning && <ClonePrompt prompt={prompt} versionId={version.id} onClose={() => setCloning(false)} />}
    </div>
  );
}
