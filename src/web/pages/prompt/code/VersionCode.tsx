import { useMemo, useState } from 'react';
import { CodeSamples } from '../../../components/code/CodeSamples.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import type { PromptHead, Version } from '../prompt-head.ts';
import { clientSnippets } from './client-snippets.ts';
import { toCodePrompt } from './code-prompt.ts';
import { serverUrl } from './server-url.ts';
import { spanSnippets } from './span-snippets.ts';
import { vendorSnippets } from './vendor-snippets.ts';

interface VersionCodeProps {
  readonly prompt: Pick<PromptHead, 'name'>;
  readonly version: Version;
}

type Use = 'client' | 'vendor' | 'spans';
const USES = [
  ['client', 'Client library'],
  ['vendor', 'Vendor SDK'],
  ['spans', 'Name it in spans'],
] as const;

/** Code that uses a version: by its tag or its ID, over the client library or inline, and in spans. */
export function VersionCode({ prompt, version }: VersionCodeProps) {
  const [use, setUse] = useState<Use>('client');
  const [chosen, setTag] = useState<string>();
  const code = useMemo(() => toCodePrompt(prompt.name, version), [prompt.name, version]);
  const vendor = useMemo(() => vendorSnippets(code), [code]);
  const tag = version.tags.find(({ name }) => name === (chosen ?? version.tags[0]?.name));
  const ref = tag && chosen !== '' ? { promptName: prompt.name, tag: tag.name } : { versionId: version.id };
  const url = serverUrl();
  const shown = use === 'vendor' && !vendor ? 'client' : use;
  const snippets =
    shown === 'vendor' ? vendor! : shown === 'spans' ? spanSnippets(version.id, url) : clientSnippets(code, ref, url);
  return (
    <section className="version-code">
      <h2>Use this version</h2>
      <CodeSamples samples={snippets}>
        <Switch
          label="Way to use the version"
          values={USES.filter(([id]) => id !== 'vendor' || vendor)}
          value={shown}
          onChange={setUse}
        />
        {shown === 'client' && version.tags.length > 0 && (
          <select
            className="input"
            aria-label="Version to read"
            value={chosen === '' ? '' : (tag?.name ?? '')}
            onChange={(event) => setTag(event.target.value)}
          >
            {version.tags.map(({ id, name }) => (
              <option key={id} value={name}>
                Tag {name}
              </option>
            ))}
            <option value="">Version {version.sequenceNumber} by ID</option>
          </select>
        )}
      </CodeSamples>
    </section>
  );
}
