#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { startFakeModelServer } from './start-fake-model-server.ts';

const HELP = `spandrel-fake-model: serves a model whose answers are known, as OpenAI, Anthropic and Google speak.

  --host <address>              default 127.0.0.1
  --port <number>               default 8808; 0 for a free one
  --latency <ms>                median time of an answer
  --latency-sigma <number>      spread of its logarithm
  --requests-per-second <n>     limit of requests
  --burst <n>                   requests that may come at once
  --tokens-per-minute <n>       limit of tokens
  --no-limit-headers            responses do not state the limits
  --error-rate <share>          answers that are errors; also --hang-rate, --half-rate, --endless-rate
  --sensitivity <share>         of the judge, default 0.9; also --specificity
  --api-key <key>               the one key that is accepted
  --seed <text>

The truth is read from a mark in the prompt: truth=1 or truth=0. GET /counts says what was asked.
`;

const NUMBERS = [
  ...['port', 'latency', 'latency-sigma', 'requests-per-second', 'burst', 'tokens-per-minute'],
  ...['error-rate', 'hang-rate', 'half-rate', 'endless-rate', 'sensitivity', 'specificity'],
];
const TEXTS = ['host', 'api-key', 'seed'];
const PORT = 8_808;

/** Serves until the process is ended. Returns the exit code of wrong arguments. */
async function main(): Promise<number> {
  const values = readArguments();
  if (typeof values === 'string') {
    process.stderr.write(`${values}\nSee spandrel-fake-model --help.\n`);
    return 2;
  }
  if (values.get('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const number = (name: string) => (values.has(name) ? Number(values.get(name)) : undefined);
  const text = (name: string) => values.get(name) as string | undefined;
  const sigma = number('latency-sigma');
  const given = {
    host: text('host'),
    port: number('port') ?? PORT,
    latencyMs: sigma === undefined ? number('latency') : { medianMs: number('latency') ?? 0, sigma },
    requestsPerSecond: number('requests-per-second'),
    burst: number('burst'),
    tokensPerMinute: number('tokens-per-minute'),
    errorRate: number('error-rate'),
    hangRate: number('hang-rate'),
    halfRate: number('half-rate'),
    endlessRate: number('endless-rate'),
    statesLimits: !values.get('no-limit-headers'),
    apiKey: text('api-key'),
    seed: text('seed'),
    judge: present({ sensitivity: number('sensitivity'), specificity: number('specificity') }),
  };
  const server = await startFakeModelServer(present(given));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
  process.stdout.write(`The fake model listens on ${server.url}; GET ${server.url}/counts says what it was asked.\n`);
  return 0;
}

function readArguments(): ReadonlyMap<string, string | boolean> | string {
  try {
    const { values } = parseArgs({
      options: {
        ...Object.fromEntries([...NUMBERS, ...TEXTS].map((name) => [name, { type: 'string' as const }])),
        'no-limit-headers': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const map = new Map(Object.entries(values) as [string, string | boolean][]);
    const wrong = NUMBERS.find((name) => map.has(name) && !(Number(map.get(name)) >= 0));
    return wrong === undefined ? map : `--${wrong} is a number from 0, and not ${map.get(wrong)}.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const present = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>;
  };

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
