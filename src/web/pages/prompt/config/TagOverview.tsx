import { Link } from '../../../router/Link.tsx';
import { promptPath } from '../../prompts/prompt-row.ts';
import type { PromptHead } from '../prompt-head.ts';
import { TagChip } from '../TagChip.tsx';

/** All tags of a prompt with their versions. */
export function TagOverview({ prompt }: { readonly prompt: PromptHead }) {
  const { versionTags } = prompt;
  if (versionTags.length === 0) {
    return (
      <p className="muted">
        No version has a tag. Open a <Link to={promptPath(prompt.id, 'versions')}>version</Link> and tag it, so that
        applications read it by the name of the tag.
      </p>
    );
  }
  return (
    <ul className="tag-overview">
      {versionTags.map(({ id, name, description, version }) => (
        <li key={id} className="row">
          <TagChip name={name} />
          <Link to={promptPath(prompt.id, 'versions', version.id)}>Version {version.sequenceNumber}</Link>
          {description && (
            <span className="muted clip" dir="auto">
              {description}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
