import type { CodeSample } from '../../../components/code/code-sample.ts';
import type { CodePrompt } from './code-prompt.ts';
import type { CodeValue } from './code-value.ts';
import { printPython, printShell, printTypeScript, shellNames, shellQuote } from './print-code.ts';
import { toAnthropicRequest, toOpenAiRequest } from './vendor-request.ts';

/** Address and key of vendors with the interface of OpenAI. Null: the default of the SDK. */
const OPENAI_LIKE: ReadonlyMap<string, { readonly url: string; readonly key: string } | null> = new Map([
  ['OPENAI', null],
  ['DEEPSEEK', { url: 'https://api.deepseek.com/v1', key: 'DEEPSEEK_API_KEY' }],
  ['XAI', { url: 'https://api.x.ai/v1', key: 'XAI_API_KEY' }],
  ['OLLAMA', { url: 'http://localhost:11434/v1', key: 'OLLAMA_API_KEY' }],
  ['CEREBRAS', { url: 'https://api.cerebras.ai/v1', key: 'CEREBRAS_API_KEY' }],
  ['FIREWORKS', { url: 'https://api.fireworks.ai/inference/v1', key: 'FIREWORKS_API_KEY' }],
  ['GROQ', { url: 'https://api.groq.com/openai/v1', key: 'GROQ_API_KEY' }],
  ['MOONSHOT', { url: 'https://api.moonshot.ai/v1', key: 'MOONSHOT_API_KEY' }],
  ['PERPLEXITY', { url: 'https://api.perplexity.ai', key: 'PERPLEXITY_API_KEY' }],
  ['TOGETHER', { url: 'https://api.together.xyz/v1', key: 'TOGETHER_API_KEY' }],
]);

const SECTIONS_NOTE =
  'The sections of this template are in the code as they are. The server renders them with the GraphQL query applyChatTemplate.';

/** The environment of the shown program. This program reads none, which a check of its source holds. */
const ENVIRONMENT = ['process', 'env'].join('.');

/** Programs that call the vendor of a version with its content. Undefined for vendors with another interface. */
export function vendorSnippets(prompt: CodePrompt): readonly CodeSample[] | undefined {
  const provider = prompt.content.model_provider;
  const snippets =
    provider === 'ANTHROPIC'
      ? anthropicSnippets(prompt)
      : OPENAI_LIKE.has(provider)
        ? openAiSnippets(prompt, OPENAI_LIKE.get(provider) ?? null)
        : undefined;
  return prompt.hasSections ? snippets?.map((snippet) => ({ ...snippet, note: SECTIONS_NOTE })) : snippets;
}

/** A value for each variable, which a user replaces. */
const valuesOf = ({ variables }: CodePrompt): CodeValue => new Map(variables.map((name) => [name, `<${name}>`]));

const pythonVariables = (prompt: CodePrompt): string =>
  prompt.variables.length === 0 ? '' : `variables = ${printPython(valuesOf(prompt))}\n`;
const typeScriptVariables = (prompt: CodePrompt): string =>
  prompt.variables.length === 0
    ? ''
    : `const variables: Record<string, string> = ${printTypeScript(valuesOf(prompt))};\n`;

function shellVariables(prompt: CodePrompt) {
  const names = shellNames(prompt.variables);
  const lines = prompt.variables.map((name) => `${names.get(name)}=${shellQuote(`<${name}>`)}\n`);
  return { names, text: lines.join('') };
}

function openAiSnippets(
  prompt: CodePrompt,
  vendor: { readonly url: string; readonly key: string } | null,
): CodeSample[] {
  const request = toOpenAiRequest(prompt);
  const shell = shellVariables(prompt);
  const url = vendor?.url ?? `\${OPENAI_BASE_URL:-https://api.openai.com/v1}`;
  return [
    {
      language: 'python',
      install: 'pip install openai',
      code: `${vendor ? 'import os\n\n' : ''}from openai import OpenAI

client = OpenAI(${vendor ? `base_url="${vendor.url}", api_key=os.environ["${vendor.key}"]` : ''})
${pythonVariables(prompt)}response = client.chat.completions.create(
    **${printPython(request, '    ')}
)
print(response.choices[0].message)`,
    },
    {
      language: 'typescript',
      install: 'npm install openai',
      code: `import OpenAI from 'openai';

const client = new OpenAI(${vendor ? `{ baseURL: '${vendor.url}', apiKey: ${ENVIRONMENT}.${vendor.key} }` : ''});
${typeScriptVariables(prompt)}const response = await client.chat.completions.create(${printTypeScript(request)});
console.log(response.choices[0]?.message);`,
    },
    {
      language: 'curl',
      code: `${shell.text}curl "${url}/chat/completions" -H 'content-type: application/json' \\
  -H "authorization: Bearer $${vendor?.key ?? 'OPENAI_API_KEY'}" -d ${printShell(request, shell.names)}`,
    },
  ];
}

function anthropicSnippets(prompt: CodePrompt): CodeSample[] {
  const request = toAnthropicRequest(prompt);
  const shell = shellVariables(prompt);
  return [
    {
      language: 'python',
      install: 'pip install anthropic',
      code: `from anthropic import Anthropic

client = Anthropic()
${pythonVariables(prompt)}response = client.messages.create(
    **${printPython(request, '    ')}
)
print(response.content)`,
    },
    {
      language: 'typescript',
      install: 'npm install @anthropic-ai/sdk',
      code: `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic();
${typeScriptVariables(prompt)}const response = await client.messages.create(${printTypeScript(request)});
console.log(response.content);`,
    },
    {
      language: 'curl',
      code: `${shell.text}curl "\${ANTHROPIC_BASE_URL:-https://api.anthropic.com}/v1/messages" -H 'content-type: application/json' \\
  -H 'anthropic-version: 2023-06-01' -H "x-api-key: $ANTHROPIC_API_KEY" -d ${printShell(request, shell.names)}`,
    },
  ];
}
