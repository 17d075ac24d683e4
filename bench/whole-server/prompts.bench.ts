/**
 * How long does an application wait for its prompt, by tag, name and version, when there are many prompts and versions?
 */
import { Agent, get } from 'node:http';
import { withServer } from './bench-server.ts';
import { isSmoke, LatencyRecorder, ms, printTable, ratio, size } from './measure.ts';

const PROMPT_COUNT = size('PROMPTS', { smoke: 3, full: 200 });
const VERSION_COUNT = size('VERSIONS', { smoke: 2, full: 10 });
const REQUEST_COUNT = size('REQUESTS', { smoke: 3, full: 500 });
const CONCURRENCY = isSmoke ? 2 : 16;

const agent = new Agent({ keepAlive: true });

await withServer(async ({ url }) => {
  const ids = await makePrompts(url);
  const name = (turn: number) => `prompt-${turn % PROMPT_COUNT}`;
  const rows: Record<string, string>[] = [];
  let baseline = Number.NaN;
  for (const [what, path] of [
    ['/healthz', () => '/healthz'],
    ['by tag', (turn: number) => `/v1/prompts/${name(turn)}/tags/production`],
    ['the latest', (turn: number) => `/v1/prompts/${name(turn)}/latest`],
    ['by version', (turn: number) => `/v1/prompt_versions/${ids[turn % ids.length]}`],
    ['a page of versions', (turn: number) => `/v1/prompts/${name(turn)}/versions`],
    ['a page of prompts', () => '/v1/prompts'],
  ] as const) {
    const alone = await time(url, path, 1);
    const together = await time(url, path, CONCURRENCY);
    if (Number.isNaN(baseline)) baseline = alone.p50;
    rows.push({
      read: what,
      'p50 ms': ms(alone.p50),
      'p99 ms': ms(alone.p99),
      'p50 of /healthz': ratio(alone.p50 / baseline),
      [`p50 ms, ${CONCURRENCY} at once`]: ms(together.p50),
    });
  }
  printTable(`Reads of ${PROMPT_COUNT} prompts of ${VERSION_COUNT} versions each; ${REQUEST_COUNT} of each`, rows);
});
agent.destroy();

/** Global IDs of the first versions, which are tagged. */
async function makePrompts(url: string): Promise<string[]> {
  const messages = [
    { role: 'system', content: 'Answer the question from the documents. '.repeat(25) },
    { role: 'user', content: '{{question}}\n\n{{documents}}' },
  ];
  const ids: string[] = [];
  for (let index = 0; index < PROMPT_COUNT; index++) {
    const versions: string[] = [];
    for (let number = 0; number < VERSION_COUNT; number++) {
      const { data } = (await post(`${url}/v1/prompts`, {
        prompt: { name: `prompt-${index}` },
        version: {
          model_provider: 'OPENAI',
          model_name: `gpt-${number}`,
          template: { type: 'chat', messages },
          template_type: 'CHAT',
          template_format: 'MUSTACHE',
          invocation_parameters: { type: 'openai', openai: { temperature: 0.2, max_completion_tokens: 500 } },
        },
      })) as { data: { id: string } };
      versions.push(data.id);
    }
    await post(`${url}/v1/prompt_versions/${versions[0]}/tags`, { name: 'production' });
    ids.push(versions[0]!);
  }
  return ids;
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

async function time(url: string, path: (turn: number) => string, concurrency: number) {
  const latencies = new LatencyRecorder();
  let turn = 0;
  const work = async () => {
    while (turn < REQUEST_COUNT) {
      const startedAt = performance.now();
      await read(url + path(turn++));
      latencies.add(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return latencies.summary();
}

function read(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().once('end', resolve);
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
    }).once('error', reject);
  });
}
