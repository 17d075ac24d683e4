import { useState } from 'react';
import { Editor } from '../../../components/editor/Editor.tsx';
import { FailureLine } from '../../../components/Failure.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { EDITOR_LANGUAGES } from '../../evaluators/forms/code-samples.ts';
import { codeForm } from '../../evaluators/forms/generated/forms.ts';

/** Source of a code evaluator in its newest version, or in another one. */
export function CodeVersions({ codeId }: { readonly codeId: string }) {
  const times = useTimeFormat();
  const { data, failure, refetch } = useQuery(codeForm, { id: codeId });
  const [chosenId, setChosenId] = useState<string>();
  const code = data?.node.__typename === 'CodeEvaluator' ? data.node : undefined;
  const versions = code?.versions.edges.map(({ node }) => node) ?? [];
  const shown = versions.find(({ id }) => id === chosenId) ?? versions[0];
  return (
    <section className="card experiment-section" aria-label="Source">
      <header className="row">
        <h3 className="grow">Source</h3>
        {shown && (
          <select
            className="input evaluator-version"
            aria-label="Version"
            value={shown.id}
            onChange={({ target }) => setChosenId(target.value)}
          >
            {versions.map(({ id, sequenceNumber, createdAt, user }) => (
              <option key={id} value={id}>
                Version {formatCount(sequenceNumber)}, {times.short(createdAt)}
                {user ? `, ${user.username}` : ''}
              </option>
            ))}
          </select>
        )}
      </header>
      {failure && <FailureLine failure={failure} onRetry={() => void refetch()} />}
      {code && shown && (
        <Editor
          label="Source"
          language={EDITOR_LANGUAGES[code.language]}
          isReadOnly
          value={shown.sourceCode}
          onChange={() => {}}
        />
      )}
    </section>
  );
}
