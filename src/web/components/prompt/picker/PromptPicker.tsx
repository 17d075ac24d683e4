import { useState } from 'react';
import { toFailure } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatAge } from '../../../format/ages.ts';
import { Dialog } from '../../Dialog.tsx';
import { FailureLine } from '../../Failure.tsx';
import { Problem } from '../../Problem.tsx';
import type { Variant } from '../variant/variant.ts';
import { storedPrompts, storedPromptVersions } from './generated/picker.ts';
import { loadPrompt } from './load-prompt.ts';
import './picker.css';

interface PromptPickerProps {
  readonly title: string;
  readonly onPick: (variant: Variant) => void;
  readonly onClose: () => void;
}

/** Chooses a stored prompt and reads it as a variant: its newest version, one of its tags, or any version. */
export function PromptPicker({ title, onPick, onClose }: PromptPickerProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string }>();
  const [problem, setProblem] = useState<string>();
  const name = text.trim();
  const { data, failure, refetch } = useQuery(storedPrompts, {
    filter: name === '' ? null : { col: 'name', value: name },
  });
  const prompts = (data?.prompts.edges ?? []).map(({ node }) => node);
  const pick = async (promptId: string, version: { readonly versionId?: string; readonly tagName?: string }) => {
    try {
      const { versionId, tagName } = version;
      onPick(await loadPrompt({ promptId, versionId, tagName }));
      onClose();
    } catch (error) {
      setProblem(toFailure(error).message);
    }
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {chosen ? (
        <>
          <button type="button" className="button bare small prompt-choices-back" onClick={() => setChosen(undefined)}>
            All prompts
          </button>
          <Versions promptId={chosen.id} onPick={(version) => void pick(chosen.id, version)} />
        </>
      ) : (
        <>
          <input
            className="input"
            type="search"
            aria-label="Search prompts"
            placeholder="Search prompts"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {failure && <FailureLine failure={failure} onRetry={refetch} />}
          <ul className="prompt-choices">
            {prompts.map((prompt) => (
              <li key={prompt.id} className="row">
                <button type="button" className="menu-item grow clip" onClick={() => void pick(prompt.id, {})}>
                  <span className="clip" dir="auto">
                    {prompt.name}
                  </span>
                </button>
                {prompt.versionTags.slice(0, 3).map((tag) => (
                  <button
                    key={tag.id}
                    type="button"
                    className="button small"
                    title={`Load the version with the tag ${tag.name}`}
                    onClick={() => void pick(prompt.id, { tagName: tag.name })}
                  >
                    {tag.name}
                  </button>
                ))}
                <button type="button" className="button bare small" onClick={() => setChosen(prompt)}>
                  Versions {prompt.versionCount}
                </button>
              </li>
            ))}
          </ul>
          {data && prompts.length === 0 && (
            <p className="muted">
              {name === ''
                ? 'There are no prompts yet. The playground saves variants as prompts.'
                : 'No prompt has this text in its name.'}
            </p>
          )}
        </>
      )}
      <Problem text={problem} />
    </Dialog>
  );
}

interface VersionsProps {
  readonly promptId: string;
  readonly onPick: (version: { readonly versionId?: string; readonly tagName?: string }) => void;
}

function Versions({ promptId, onPick }: VersionsProps) {
  const { data, failure, refetch } = useQuery(storedPromptVersions, { id: promptId });
  const versions = data?.node.__typename === 'Prompt' ? data.node.promptVersions.edges : [];
  if (failure) return <FailureLine failure={failure} onRetry={refetch} />;
  return (
    <ul className="prompt-choices">
      {versions.map(({ node }) => (
        <li key={node.id} className="row">
          <button type="button" className="menu-item grow" onClick={() => onPick({ versionId: node.id })}>
            <strong>Version {node.sequenceNumber}</strong>
            <span className="muted clip grow" dir="auto">
              {node.description}
            </span>
            <span className="muted">{formatAge(node.createdAt)}</span>
          </button>
          {node.tags.map((tag) => (
            <button key={tag.id} type="button" className="button small" onClick={() => onPick({ tagName: tag.name })}>
              {tag.name}
            </button>
          ))}
        </li>
      ))}
    </ul>
  );
}
