import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { navigate } from '../../../router/location.ts';
import { DeletePrompt } from '../dialogs/DeletePrompt.tsx';
import { EditPrompt } from '../dialogs/EditPrompt.tsx';
import { deletePrompt, patchPrompt } from '../generated/prompt.ts';
import type { PromptTabProps } from '../prompt-head.ts';
import { TagMoves } from './TagMoves.tsx';
import { TagOverview } from './TagOverview.tsx';

/** Tags of a prompt with their history, its description and metadata, and its deletion. */
export function ConfigTab({ prompt, onChange }: PromptTabProps) {
  const { may } = useAccess();
  const [asks, setAsks] = useState<'edit' | 'delete'>();
  const close = () => setAsks(undefined);
  const metadata = prompt.metadata as object;
  return (
    <div className="page-body prompt-config">
      <section className="card">
        <h2>Tags</h2>
        <TagOverview prompt={prompt} />
      </section>
      <section className="card">
        <h2>History of the tags</h2>
        <TagMoves promptId={prompt.id} />
      </section>
      <section className="card">
        <header className="row">
          <h2 className="grow">Description and metadata</h2>
          {may(patchPrompt) && (
            <button type="button" className="button small" onClick={() => setAsks('edit')}>
              Edit
            </button>
          )}
        </header>
        {prompt.description ? <TextView text={prompt.description} /> : <p className="muted">No description</p>}
        {Object.keys(metadata).length > 0 ? <JsonView value={metadata} /> : <p className="muted">No metadata</p>}
      </section>
      {may(deletePrompt) && (
        <section className="card">
          <h2>Delete this prompt</h2>
          <p className="muted">Applications that read it will fail. Spans that name its versions stay.</p>
          <button type="button" className="button danger" onClick={() => setAsks('delete')}>
            Delete prompt
          </button>
        </section>
      )}
      {asks === 'edit' && <EditPrompt prompt={prompt} onClose={close} onDone={onChange} />}
      {asks === 'delete' && (
        <DeletePrompt prompt={prompt} onClose={close} onDone={() => navigate('/prompts', { replaces: true })} />
      )}
    </div>
  );
}
