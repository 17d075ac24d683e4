import { useAccess } from '../../../access/use-access.ts';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { LabelChips } from '../../../components/labels/LabelChips.tsx';
import { LabelMenu } from '../../../components/labels/LabelMenu.tsx';
import { labelPrompt, PROMPT_LABELS } from '../../../components/labels/label-kinds.ts';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { formatAge } from '../../../format/ages.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { promptPath } from '../../prompts/prompt-row.ts';
import { VersionCode } from '../code/VersionCode.tsx';
import { patchPrompt } from '../generated/prompt.ts';
import { type PromptHead, type PromptTabProps, useVersion } from '../prompt-head.ts';
import { TagChip } from '../TagChip.tsx';
import { VersionView } from './VersionView.tsx';

/** The latest version of a prompt, and facts about the prompt beside it. */
export function LatestTab({ prompt, onChange }: PromptTabProps) {
  const { version, failure, refetch } = useVersion(prompt.id, undefined);
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  return (
    <div className="page-body prompt-columns">
      <div className="prompt-main">
        {version ? (
          <>
            <h2>
              Version {version.sequenceNumber} <span className="muted">latest</span>
            </h2>
            <VersionView version={version} />
            <VersionCode prompt={prompt} version={version} />
          </>
        ) : (
          <div className="skeleton prompt-skeleton" />
        )}
      </div>
      <aside className="prompt-aside" aria-label="About the prompt">
        <About prompt={prompt} onChange={onChange} />
        <LatestVersions prompt={prompt} />
      </aside>
    </div>
  );
}

function About({ prompt, onChange }: Pick<PromptTabProps, 'prompt' | 'onChange'>) {
  const { may } = useAccess();
  const { labels, sourcePrompt } = prompt;
  const metadata = prompt.metadata as object;
  return (
    <>
      <section>
        <h2>Description</h2>
        {prompt.description ? <TextView text={prompt.description} /> : <p className="muted">No description</p>}
        {sourcePrompt && (
          <p className="muted">
            Clone of <Link to={promptPath(sourcePrompt.id)}>{sourcePrompt.name}</Link>
          </p>
        )}
      </section>
      <section>
        <header className="row">
          <h2 className="grow">Labels</h2>
          {may(patchPrompt) && (
            <LabelMenu
              label="Change labels"
              button={
                <button type="button" className="button bare small icon-only">
                  <Icon name="edit" size={13} />
                </button>
              }
              kind={PROMPT_LABELS}
              chosen={{ all: new Set(labels.map(({ id }) => id)) }}
              onApply={(change) => labelPrompt(prompt.id, change)}
              onDone={onChange}
            />
          )}
        </header>
        {labels.length === 0 ? <p className="muted">No labels</p> : <LabelChips labels={labels} wraps />}
      </section>
      {Object.keys(metadata).length > 0 && (
        <section>
          <h2>Metadata</h2>
          <JsonView value={metadata} />
        </section>
      )}
    </>
  );
}

function LatestVersions({ prompt }: { readonly prompt: PromptHead }) {
  const times = useTimeFormat();
  const versions = prompt.promptVersions.edges;
  return (
    <section>
      <h2>Latest versions</h2>
      <ul className="latest-versions">
        {versions.map(({ node }) => (
          <li key={node.id}>
            <span className="row">
              <Link to={promptPath(prompt.id, 'versions', node.id)}>Version {node.sequenceNumber}</Link>
              <span className="grow" />
              <span className="muted" title={times.full(node.createdAt)}>
                {formatAge(node.createdAt)}
              </span>
            </span>
            {node.tags.length > 0 && (
              <span className="prompt-tags">
                {node.tags.map((tag) => (
                  <TagChip key={tag.id} name={tag.name} />
                ))}
              </span>
            )}
            {node.description && (
              <p className="muted clip" dir="auto" title={node.description}>
                {node.description}
              </p>
            )}
          </li>
        ))}
      </ul>
      {prompt.versionCount > versions.length && <Link to={promptPath(prompt.id, 'versions')}>All versions</Link>}
    </section>
  );
}
