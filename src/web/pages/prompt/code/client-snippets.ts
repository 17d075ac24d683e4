import type { CodeSample } from '../../../components/code/code-sample.ts';
import type { CodePrompt } from './code-prompt.ts';
import { printPython, printTypeScript, shellQuote } from './print-code.ts';

/** How code names a version: by its ID, or by a tag of its prompt. */
export type VersionRef = { readonly versionId: string } | { readonly promptName: string; readonly tag: string };

const SDKS: ReadonlyMap<string, string> = new Map([['ANTHROPIC', 'anthropic']]);

const pythonRef = (ref: VersionRef): string =>
  'tag' in ref ? `prompt_identifier="${ref.promptName}", tag="${ref.tag}"` : `prompt_version_id="${ref.versionId}"`;
const typeScriptRef = (ref: VersionRef): string =>
  'tag' in ref ? `name: '${ref.promptName}', tag: '${ref.tag}'` : `versionId: '${ref.versionId}'`;
const restPath = (ref: VersionRef): string =>
  'tag' in ref ? `prompts/${ref.promptName}/tags/${ref.tag}` : `prompt_versions/${encodeURIComponent(ref.versionId)}`;

/** Programs that read a version from this server and make a request of it. Names and tags are identifiers. */
export function clientSnippets(prompt: CodePrompt, ref: VersionRef, url: string): readonly CodeSample[] {
  const { variables, content } = prompt;
  const values = new Map(variables.map((name) => [name, `<${name}>`]));
  const sdk = SDKS.get(content.model_provider) ?? 'openai';
  return [
    {
      language: 'python',
      install: `pip install arize-phoenix-client ${sdk}`,
      code: `from phoenix.client import Client

client = Client(base_url="${url}")
prompt = client.prompts.get(${pythonRef(ref)})
request = prompt.format(variables=${printPython(values)}, sdk="${sdk}")
print(request.messages, request.kwargs)`,
    },
    {
      language: 'typescript',
      install: `npm install @arizeai/phoenix-client ${sdk === 'openai' ? 'openai' : '@anthropic-ai/sdk'}`,
      code: `import { createClient } from '@arizeai/phoenix-client';
import { getPrompt, toSDK } from '@arizeai/phoenix-client/prompts';

const client = createClient({ options: { baseUrl: '${url}' } });
const prompt = await getPrompt({ client, prompt: { ${typeScriptRef(ref)} } });
if (!prompt) throw new Error('There is no such version.');
const request = toSDK({ sdk: '${sdk}', prompt, variables: ${printTypeScript(values)} });
console.log(JSON.stringify(request));`,
    },
    {
      language: 'curl',
      code: `curl ${shellQuote(`${url}/v1/${restPath(ref)}`)} -H "authorization: Bearer $PHOENIX_API_KEY"`,
    },
  ];
}
