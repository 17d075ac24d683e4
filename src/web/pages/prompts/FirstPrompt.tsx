import { useAccess } from '../../access/use-access.ts';
import { CodeSamples } from '../../components/code/CodeSamples.tsx';
import { CreateSample } from '../../components/sample/CreateSample.tsx';
import { Link } from '../../router/Link.tsx';
import { serverUrl } from '../prompt/code/server-url.ts';
import { firstPromptSnippets } from './first-prompt.ts';

/** What a person sees before there is a prompt: code that creates one. */
export function FirstPrompt() {
  const { hasSignIn, may } = useAccess();
  return (
    <div className="first-prompt">
      <div>
        <h2>No prompts yet</h2>
        <p className="muted">
          A prompt is a request to a model with a name and versions. Applications read the version that a tag names, so
          that you can change a prompt without a deployment. Run this code to create the first one.
        </p>
      </div>
      <CodeSamples samples={firstPromptSnippets(serverUrl())} />
      {hasSignIn && (
        <p className="muted">
          {may('member') ? (
            <>
              This server accepts requests with an API key only. Create one on your{' '}
              <Link to="/profile">profile page</Link> and set <code>PHOENIX_API_KEY</code>.
            </>
          ) : (
            'Your role cannot create prompts. Ask an administrator.'
          )}
        </p>
      )}
      <CreateSample />
    </div>
  );
}
