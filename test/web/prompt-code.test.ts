import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transformWithOxc } from 'vite';
import { cleanUpAfter } from '../metadata-store/fixtures.ts';
import { describeTemplate } from '../../src/domain/prompts/describe-template.ts';
import type { CodeSample } from '../../src/web/components/code/code-sample.ts';
import { clientSnippets } from '../../src/web/pages/prompt/code/client-snippets.ts';
import { type CodePrompt, toCodePrompt } from '../../src/web/pages/prompt/code/code-prompt.ts';
import { spanSnippets } from '../../src/web/pages/prompt/code/span-snippets.ts';
import { vendorSnippets } from '../../src/web/pages/prompt/code/vendor-snippets.ts';
import { firstPromptSnippets } from '../../src/web/pages/prompts/first-prompt.ts';
import { openPageServer } from './page-server.ts';

// The programs that pages show, run as they are shown. Node has the SDKs of OpenAI and Anthropic. Python does not, so there
// programs for them are compiled and their requests are evaluated.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON = join(ROOT, '.venv/bin/python');
const NO_PYTHON = existsSync(PYTHON) ? false : 'there is no Python environment here';
const run = promisify(execFile);

let url: string;
let vendorUrl: string;
let folder: string;
/** Bodies of the requests to the vendor. */
const received: Record<string, unknown>[] = [];
const cleanUp = cleanUpAfter(after);

before(async () => {
  ({ url } = await openPageServer({ after: cleanUp }));
  // Modules find their packages from a folder of the repository.
  folder = await mkdtemp(join(ROOT, 'dist', 'prompt-code-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  const vendor = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push(JSON.parse(text));
      const isOpenAi = request.url?.endsWith('/chat/completions');
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify(
          isOpenAi
            ? { choices: [{ message: { role: 'assistant', content: 'pong' } }] }
            : { type: 'message', content: [{ type: 'text', text: 'pong' }] },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  cleanUp(() => new Promise((resolve) => vendor.close(() => resolve())));
});

/** Text that every language must quote. */
const HARD = `"double" 'single' \`back\` $HOME $(id) \\n \\u0041 {x} é 😀 \u2028\u202E\u202C\tend`;

const VERSION = {
  description: '',
  model_provider: 'OPENAI',
  model_name: 'gpt-4o-mini',
  template_type: 'CHAT',
  template_format: 'MUSTACHE',
  template: {
    type: 'chat',
    messages: [
      { role: 'system', content: `Answer in {{language}}.\n${HARD}` },
      { role: 'user', content: '{{question}} ({{ language }})' },
    ],
  },
  invocation_parameters: { type: 'openai', openai: { temperature: 0.5, max_tokens: 100, stop: ["it's"] } },
  tools: {
    type: 'tools',
    tools: [
      {
        type: 'function',
        function: { name: 'find', strict: true, parameters: JSON.parse('{"__proto__":{"a":null}}') },
      },
    ],
    tool_choice: { type: 'one_or_more' },
  },
};
const ANTHROPIC = {
  ...VERSION,
  model_provider: 'ANTHROPIC',
  model_name: 'claude-sonnet-4',
  invocation_parameters: { type: 'anthropic', anthropic: { max_tokens: 200 } },
};

async function post(path: string, body: object): Promise<{ readonly id: string }> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return text === '' ? { id: '' } : JSON.parse(text).data;
}

/** Stores a version, and describes it as its page does. */
async function store(name: string, version: typeof VERSION | typeof ANTHROPIC): Promise<CodePrompt> {
  const { id } = await post('/v1/prompts', { prompt: { name }, version });
  return toPrompt(name, id, version);
}

function toPrompt(name: string, id: string, version: object): CodePrompt {
  const content = version as typeof VERSION;
  const { tags, ...rest } = describeTemplate(content.template as never, content.template_format as never);
  const kind = (text: string) => text.toUpperCase() as 'VARIABLE';
  return toCodePrompt(name, {
    id,
    content,
    templateDescription: { ...rest, tags: tags.map((tag) => ({ ...tag, kind: kind(tag.kind) })) },
  });
}

const codeIn = (snippets: readonly CodeSample[] | undefined, language: CodeSample['language']): string =>
  snippets!.find((snippet) => snippet.language === language)!.code;

const environment = () => ({
  ...process.env,
  PHOENIX_API_KEY: 'none',
  OPENAI_API_KEY: 'key',
  ANTHROPIC_API_KEY: 'key',
  OPENAI_BASE_URL: vendorUrl,
  ANTHROPIC_BASE_URL: vendorUrl,
  no_proxy: '127.0.0.1',
});

async function runPython(code: string): Promise<string> {
  return (await run(PYTHON, ['-c', code], { env: environment() })).stdout;
}

let count = 0;
async function runTypeScript(code: string): Promise<string> {
  const program = join(folder, `program-${++count}.mjs`);
  await writeFile(program, (await transformWithOxc(code, 'program.ts')).code);
  return (await run(process.execPath, [program], { env: environment() })).stdout;
}

async function runShell(code: string): Promise<string> {
  return (
    await run('bash', ['-c', code.replaceAll('curl ', 'curl --silent --show-error --fail ')], { env: environment() })
  ).stdout;
}

const withValues = (text: string) => text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, '<$1>');
const SYSTEM = withValues(VERSION.template.messages[0]!.content);
const USER = withValues(VERSION.template.messages[1]!.content);

describe('code of the first prompt', () => {
  test('creates the prompt in curl, TypeScript and Python', { skip: NO_PYTHON }, async () => {
    const snippets = firstPromptSnippets(url);
    assert.match(await runShell(codeIn(snippets, 'curl')), /"model_name":"gpt-4o-mini"/);
    assert.match(await runTypeScript(codeIn(snippets, 'typescript')), /^\S+\n$/);
    assert.match(await runPython(codeIn(snippets, 'python')), /^\S+\n$/);
    const response = await fetch(`${url}/v1/prompts/support-answer/versions`);
    const { data } = (await response.json()) as { data: { template: object }[] };
    assert.equal(data.length, 3);
    for (const version of data) assert.deepEqual(version.template, data[0]!.template);
  });
});

describe('code of a version', () => {
  test('reads it by its ID and by its tag with the public clients', { skip: NO_PYTHON }, async () => {
    // The Python client formats a request only with the types of the SDK, and takes no key that is a prototype.
    const { tools: _, ...plain } = VERSION;
    const prompt = await store('by-client', plain as typeof VERSION);
    await post(`/v1/prompt_versions/${encodeURIComponent(prompt.versionId)}/tags`, { name: 'production' });
    for (const ref of [{ versionId: prompt.versionId }, { promptName: 'by-client', tag: 'production' }]) {
      const snippets = clientSnippets(prompt, ref, url);
      const read = JSON.parse(await runShell(codeIn(snippets, 'curl')));
      assert.equal(read.data.id, prompt.versionId);
      const request = JSON.parse(await runTypeScript(codeIn(snippets, 'typescript')));
      assert.equal(request.model, 'gpt-4o-mini');
      assert.ok(JSON.stringify(request.messages).includes('<question>'));
      assert.match(await runPython(codeIn(snippets, 'python')), /<question>/);
    }
  });

  for (const [vendor, version] of [
    ['OpenAI', VERSION],
    ['Anthropic', ANTHROPIC],
  ] as const) {
    test(`sends the same request to ${vendor} from TypeScript and curl, with hostile texts`, async () => {
      const snippets = vendorSnippets(toPrompt('inline', 'VmVyc2lvbg==', version));
      received.length = 0;

      assert.match(await runTypeScript(codeIn(snippets, 'typescript')), /pong/);
      assert.match(await runShell(codeIn(snippets, 'curl')), /pong/);

      const [fromSdk, fromShell] = received;
      assert.deepEqual(fromShell, fromSdk);
      checkRequest(fromSdk as Request, vendor);
    });

    test(`has a Python program for ${vendor} that compiles to the same request`, { skip: NO_PYTHON }, async () => {
      const code = codeIn(vendorSnippets(toPrompt('inline', 'VmVyc2lvbg==', version)), 'python');
      // The SDK is not installed: a module of its name records the request.
      const recorder = `import json, sys, types
class Recorder:
    def __getattr__(self, name): return self
    def __call__(self, **request):
        if request: print(json.dumps(request))
        return self
    def __getitem__(self, index): return self
    def __repr__(self): return ''
module = types.ModuleType('sdk')
module.OpenAI = module.Anthropic = Recorder()
sys.modules['openai'] = sys.modules['anthropic'] = module
`;
      checkRequest(JSON.parse(await runPython(recorder + code)), vendor);
    });
  }

  test('has no inline program for a vendor with another interface', () => {
    assert.equal(vendorSnippets(toPrompt('p', 'id', { ...VERSION, model_provider: 'AWS' })), undefined);
  });

  test('leaves sections unchanged, and notes it', () => {
    const template = { type: 'chat', messages: [{ role: 'user', content: '{{#a}}{{b}}{{/a}}' }] };
    const [python] = vendorSnippets(toPrompt('p', 'id', { ...VERSION, template }))!;
    assert.ok(python!.code.includes('"{{#a}}{{b}}{{/a}}"'));
    assert.match(python!.note!, /sections/);
  });

  test('names a version in spans, so that its calls are counted', { skip: NO_PYTHON }, async () => {
    const prompt = await store('in-spans', VERSION);
    const snippets = spanSnippets(prompt.versionId, url);
    await runShell(codeIn(snippets, 'curl'));
    await runTypeScript(codeIn(snippets, 'typescript'));
    await runPython(codeIn(snippets, 'python'));
    assert.equal(await until(3, () => countCalls('in-spans')), 3);
  });
});

interface Request {
  readonly model: string;
  readonly system?: unknown;
  readonly messages: readonly { readonly content: unknown }[];
  readonly tools: readonly object[];
  readonly [parameter: string]: unknown;
}

function checkRequest(request: Request, vendor: 'OpenAI' | 'Anthropic'): void {
  if (vendor === 'OpenAI') {
    assert.deepEqual(
      request.messages.map(({ content }) => content),
      [SYSTEM, USER],
    );
    assert.equal(request.tool_choice, 'required');
    assert.deepEqual(request.stop, ["it's"]);
    assert.equal(JSON.stringify(request.tools), JSON.stringify(VERSION.tools.tools));
  } else {
    assert.equal(request.system, SYSTEM);
    assert.deepEqual(request.messages, [{ role: 'user', content: [{ type: 'text', text: USER }] }]);
    assert.deepEqual(request.tool_choice, { type: 'any' });
    assert.equal(request.max_tokens, 200);
    const schema = VERSION.tools.tools[0]!.function.parameters;
    assert.equal(JSON.stringify(request.tools), JSON.stringify([{ name: 'find', input_schema: schema }]));
  }
}

async function countCalls(name: string): Promise<number> {
  const query = `{prompts(filter: {col: name, value: "${name}"}) {edges {node {usage(timeRange: {start: "${new Date(Date.now() - 3_600_000).toISOString()}"}) {versions {total {callCount}}}}}}}`;
  const { data } = (await (
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
  ).json()) as {
    data: { prompts: { edges: { node: { usage: { versions: { total: { callCount: number } }[] } } }[] } };
  };
  return data.prompts.edges[0]?.node.usage.versions[0]?.total.callCount ?? 0;
}

/** Spans appear within a second after they were acknowledged. */
async function until(expected: number, read: () => Promise<number>): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const value = await read();
    if (value === expected || attempt === 50) return value;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
