import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { openCuttingProxy } from '../web/cutting-proxy.ts';
import { eventually, listSpans, type RestSpan, spansOnceThere } from '../e2e/rest.ts';
import { type ServerProcess, startServer } from '../e2e/server-process.ts';
import { REGISTER_OPTIONS, TRACING_NAMES } from './typescript-function-table.ts';
import { testSpill } from './typescript-spill.ts';
import { PACKAGES_FOLDER, type UnpackedPackages, unpackPackages } from './unpacked-packages.ts';

const run = promisify(execFile);
/** Time after which an ended span must be in a file: the delay of a batch, and as much for a loaded machine. */
const SAVED_MS = 1_500;

describe('the tracing package, packed and unpacked', () => {
  let server: ServerProcess;
  let installed: UnpackedPackages;
  let spill: string;
  let environment: (more?: Readonly<Record<string, string>>) => NodeJS.ProcessEnv;

  before(async () => {
    [server, installed] = await Promise.all([
      startServer(),
      unpackPackages(['client', 'tracing'], {
        ai: undefined,
        openai: undefined,
        '@arizeai/openinference-instrumentation-openai': undefined,
      }),
    ]);
    spill = join(installed.folder, 'spill');
    environment = (more = {}) => ({
      ...process.env,
      SPANDREL_COLLECTOR_ENDPOINT: server.url,
      SPANDREL_SPILL_DIR: spill,
      ...more,
    });
  });

  after(async () => {
    await server?.stop();
    await installed?.remove();
  });

  /** Runs a program in the folder of the package. */
  const runProgram = async (
    name: string,
    source: string,
    more: Readonly<Record<string, string>> = {},
    args: string[] = [],
  ) =>
    run(process.execPath, [...args, await installed.write(name, source)], {
      cwd: installed.folder,
      env: environment(more),
    });
  const spansOf = async (project: string, count: number): Promise<Map<string, RestSpan>> => {
    await spansOnceThere(server.url, project, count);
    return new Map((await listSpans(server.url, project)).map((span) => [span.name, span]));
  };

  test('does what its README shows, block by block', async () => {
    const readme = await readFile(join(PACKAGES_FOLDER, 'tracing/README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);
    assert.ok(blocks.length >= 3);
    // One process for all: starting one takes most of the time.
    const names = await Promise.all(blocks.map((code, index) => installed.write(`readme-${index}.mjs`, code)));
    const shown = "console.log(Object.keys(await import('@spandrel/tracing')).join(' '));";
    const program = [...names.map((name) => `await import(${JSON.stringify(name)});`), shown].join('\n');
    const { stdout } = await runProgram('readme.mjs', program);
    const exported = stdout.trim().split('\n').at(-1)?.split(' ') ?? [];
    assert.deepEqual(
      TRACING_NAMES.split(' ').filter((name) => !exported.includes(name)),
      [],
      'names of the public helper',
    );
    const options = await readFile(join(PACKAGES_FOLDER, 'tracing/dist/register/register-options.d.ts'), 'utf8');
    for (const name of REGISTER_OPTIONS.split(' ')) assert.match(options, new RegExp(`readonly ${name}\\?:`));
    const spans = await spansOf('my-app', 5);

    assert.equal(spans.get('answer')?.span_kind, 'AGENT');
    assert.equal(spans.get('answer')?.attributes['session.id'], 'chat-1');
    assert.equal(spans.get('search')?.parent_id, spans.get('answer')?.context.span_id);
    assert.equal(spans.get('search')?.attributes['input.value'], '__REDACTED__ of France');
  });

  test('adds the context to spans of every tracer, and keeps the names of the public helper', async () => {
    await runProgram(
      'context.mjs',
      `import * as tracing from '@spandrel/tracing';
       for (const name of ['withSpan', 'traceChain', 'traceAgent', 'traceTool', 'traceLLM', 'traceRetriever', 'setSession',
         'SemanticConventions', 'trace', 'context', 'SpanStatusCode', 'DiagLogLevel', 'suppressTracing', 'OTLPTraceExporter',
         'registerInstrumentations', 'LazySpanProcessor', 'attachGlobalTracerProvider', 'detachGlobalTracerProvider',
         'getDefaultSpanProcessor', 'ensureCollectorEndpoint', 'createNoOpProvider', 'objectAsAttributes'])
         if (!(name in tracing)) throw new Error('lacks ' + name);
       const { context, register, setSession, trace, traceLLM, traceRetriever, withTraceContext } = tracing;
       const provider = register({ projectName: 'contexts' });
       context.with(setSession(context.active(), { sessionId: 's 1' }), () => trace.getTracer('other').startSpan('raw').end());
       await withTraceContext({ userId: 'u', tags: ['a', 'b'], metadata: { tier: 2 }, promptTemplate: { template: 'Hi {{x}}', version: 'v1', variables: { x: 1 } } },
         () => traceLLM(async (text) => text.toUpperCase(), { name: 'model' })('hello'));
       await traceRetriever(async () => { throw new TypeError('no index'); }, { name: 'retrieve' })().catch(() => {});
       await provider.shutdown();
       if (trace.getTracer('x').startSpan('after').isRecording()) throw new Error('still attached');`,
    );
    const spans = await spansOf('contexts', 3);
    const { attributes } = spans.get('model')!;

    assert.equal(spans.get('raw')?.attributes['session.id'], 's 1');
    assert.equal(spans.get('model')?.span_kind, 'LLM');
    assert.deepEqual(
      [attributes['user.id'], attributes['tag.tags'], attributes['metadata.tier']],
      ['u', '["a","b"]', 2],
    );
    assert.equal(attributes['llm.prompt_template.template'], 'Hi {{x}}');
    assert.equal(attributes['output.value'], 'HELLO');
    assert.deepEqual(
      [spans.get('retrieve')?.status_code, spans.get('retrieve')?.status_message],
      ['ERROR', 'no index'],
    );
  });

  test('translates spans of the AI SDK', async () => {
    await runProgram(
      'ai-sdk.mjs',
      `import { register } from '@spandrel/tracing';
       import { generateText } from 'ai';
       import { MockLanguageModelV3 } from 'ai/test';
       const provider = register({ projectName: 'ai sdk' });
       const usage = { inputTokens: { total: 3 }, outputTokens: { total: 2 } };
       const model = new MockLanguageModelV3({ modelId: 'tiny', doGenerate: async () => ({
         content: [{ type: 'text', text: 'Paris' }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] }) });
       await generateText({ model, prompt: 'Capital of France?', experimental_telemetry: { isEnabled: true, functionId: 'geo' } });
       await provider.shutdown();`,
    );
    const spans = await spansOf('ai sdk', 2);
    const model = [...spans.values()].find(({ span_kind }) => span_kind === 'LLM');

    assert.equal(spans.get('ai.generateText geo')?.status_code, 'OK');
    assert.equal(model?.attributes['llm.model_name'], 'tiny');
    assert.equal(model?.attributes['llm.token_count.prompt'], 3);
    assert.equal(
      model?.attributes['llm.input_messages.0.message.contents.0.message_content.text'],
      'Capital of France?',
    );
  });

  test('instruments what is installed, before the program starts', async () => {
    const program = `import { createServer } from 'node:http';
      import OpenAI from 'openai';
      const message = { role: 'assistant', content: 'hello' };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      const endpoint = createServer((_, response) => {
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'chat.completion', model: 'm', choices }));
      }).listen(0, '127.0.0.1', async () => {
        const client = new OpenAI({ apiKey: 'k', baseURL: 'http://127.0.0.1:' + endpoint.address().port });
        await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
        endpoint.close();
        endpoint.closeAllConnections();
      });`;
    await runProgram('auto.mjs', program, { SPANDREL_PROJECT: 'instrumented' }, ['--import', '@spandrel/tracing/auto']);
    const [span] = await spansOf('instrumented', 1).then((spans) => [...spans.values()]);

    assert.equal(span?.span_kind, 'LLM');
    assert.equal(span?.attributes['llm.input_messages.0.message.content'], 'hi');
    assert.equal(span?.attributes['llm.output_messages.0.message.content'], 'hello');
  });

  test('masks by path, by pattern and by the variables of OpenInference, in files too', async (t) => {
    const proxy = await openCuttingProxy(t, server.url);
    proxy.goDown();
    const folder = join(installed.folder, 'spill-masked');
    const program = `import { register, trace } from '@spandrel/tracing';
      register({ projectName: 'masked', mask: { paths: ['metadata.*.secret', 'input.value#/user/*/mail', /^custom\\.key$/], patterns: [/sk-\\w+/] } });
      const span = trace.getTracer('x').startSpan('call sk-abc');
      span.setAttributes({ 'metadata.a.secret': 's3cret', 'metadata.a.open': 'sk-def!', 'custom.key': 's3cret', 'output.value': 's3cret',
        'input.value': JSON.stringify({ user: { x: { mail: 's3cret' } }, q: 'kept', __proto__: { a: 1 } }), 'list': ['sk-1', 'two'],
        'llm.input_messages.0.message.content': 'visible', 'retrieval.documents.0.document.content': 's3cret' });
      span.recordException(new Error('key sk-ghi is wrong'));
      span.setStatus({ code: 2, message: 'sk-jkl' });
      span.end();`;
    const hides = { OPENINFERENCE_HIDE_OUTPUTS: 'true', SPANDREL_SPILL_DIR: folder };
    await runProgram('mask.mjs', program, { ...hides, SPANDREL_COLLECTOR_ENDPOINT: proxy.url });
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.spans'));
    const bytes = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')));
    assert.match(bytes.join(''), /visible/);
    assert.doesNotMatch(bytes.join(''), /s3cret|sk-/);

    proxy.restore();
    await runProgram('masked-again.mjs', FLUSH, { ...hides, SPANDREL_COLLECTOR_ENDPOINT: proxy.url });
    const span = (await spansOf('masked', 1)).get('call __REDACTED__');
    assert.deepEqual(JSON.parse(String(span?.attributes['input.value'])), {
      user: { x: { mail: '__REDACTED__' } },
      q: 'kept',
    });
    assert.deepEqual(span?.attributes.list, ['__REDACTED__', 'two']);
    assert.equal(span?.attributes['metadata.a.open'], '__REDACTED__!');
    assert.equal(span?.attributes['output.value'], '__REDACTED__');
    assert.equal(span?.status_message, '__REDACTED__');
    assert.match(String(span?.events[0]?.attributes['exception.message']), /key __REDACTED__ is wrong/);
  });

  test('loses no span of a program that is killed while the server is away, and reads a torn file', async (t) => {
    const proxy = await openCuttingProxy(t, server.url);
    const env = { SPANDREL_COLLECTOR_ENDPOINT: proxy.url, SPANDREL_SPILL_DIR: join(installed.folder, 'spill-killed') };
    const path = await installed.write('steady.mjs', STEADY);
    const children = ['a', 'b'].map((name) => {
      const child = spawn(process.execPath, [path, 'killed', name], {
        cwd: installed.folder,
        env: environment(env),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      t.after(() => child.kill('SIGKILL'));
      return { name, child, ended: countEnded(child) };
    });
    const until = async (isThere: () => boolean) => {
      while (!isThere()) await sleep(20);
    };
    await until(() => children.every(({ ended }) => (ended.at(-1)?.count ?? 0) > 300));
    proxy.goDown();
    const goneAt = Date.now();
    await until(() => children.every(({ ended }) => ended.some(({ at }) => at > goneAt + 300)));
    await sleep(SAVED_MS);
    const killedAt = Date.now();
    for (const { child } of children) child.kill('SIGKILL');
    await Promise.all(children.map(({ child }) => once(child, 'close')));
    const files = (await readdir(env.SPANDREL_SPILL_DIR, { recursive: true })).filter((name) =>
      name.endsWith('.spans'),
    );
    assert.ok(files.length >= 2);
    // Half of a frame, as a kill in the middle of a write leaves it.
    await appendFile(join(env.SPANDREL_SPILL_DIR, files[0]!), Buffer.from([50, 0, 0, 0, 1, 0, 0, 0, 9, 9]));
    proxy.restore();
    // Two new processes look for the same files.
    const again = ['flush-1.mjs', 'flush-2.mjs'].map((name) => runProgram(name, FLUSH, env));
    const outputs = await Promise.all(again);

    const expected = children.flatMap(({ name, ended }) => {
      const count = ended.filter(({ at }) => at < killedAt - SAVED_MS).at(-1)?.count ?? 0;
      assert.ok(count > 100, `${count} spans of ${name}`);
      return Array.from({ length: count }, (_, index) => `${name} ${index}`);
    });
    await eventually(async () => {
      const names = new Set((await listSpans(server.url, 'killed')).map(({ name }) => name));
      assert.deepEqual(expected.filter((name) => !names.has(name)).slice(0, 3), []);
    });
    assert.match(outputs.map(({ stderr }) => stderr).join(''), /was torn/);
    assert.deepEqual(await readdir(join(env.SPANDREL_SPILL_DIR, (await readdir(env.SPANDREL_SPILL_DIR))[0]!)), []);
  });

  test('flushes at every kind of end, in bounded time', async (t) => {
    const silent = await openSilentServer(t);
    const one = (name: string, end: string) => `import { register, trace } from '@spandrel/tracing';
      register({ projectName: 'ends' });
      trace.getTracer('x').startSpan('${name}').end();
      ${end}`;
    const endsBy = (program: Promise<unknown>) =>
      program.then(
        // Its own timer would end it after a minute.
        () => assert.fail('it ended without the signal'),
        ({ signal }: { signal: string }) => assert.equal(signal, 'SIGTERM'),
      );
    const terminated = "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 60_000);";
    await Promise.all([
      runProgram('end.mjs', one('end', '')),
      // Into a file, which a later process sends.
      runProgram('exit.mjs', one('exit', 'process.exit(0);')),
      endsBy(runProgram('term.mjs', one('term', terminated))),
      runProgram(
        'own.mjs',
        one(
          'own',
          "process.on('SIGTERM', () => setTimeout(() => process.exit(0), 500)); process.kill(process.pid, 'SIGTERM');",
        ),
      ),
      endsBy(runProgram('silent.mjs', one('silent', terminated), { SPANDREL_COLLECTOR_ENDPOINT: silent })),
    ]);
    await runProgram('flush-ends.mjs', FLUSH);
    assert.deepEqual([...(await spansOf('ends', 4)).keys()].sort(), ['end', 'exit', 'own', 'term']);
  });

  testSpill(() => installed);

  test('counts what it drops, and keeps what it may', async (t) => {
    const proxy = await openCuttingProxy(t, server.url);
    proxy.goDown();
    const program = `import { register, trace } from '@spandrel/tracing';
      const drops = [];
      const options = JSON.parse(process.argv[2]);
      const { getDefaultSpanProcessor } = await import('@spandrel/tracing');
      const processor = getDefaultSpanProcessor({ ...options, batchDelayMs: 1, onDrop: (drop) => { drops.push(drop); throw new Error('mine'); } });
      const provider = register({ projectName: 'bounded', spanProcessors: [processor] });
      for (let i = 0; i < 40; i++) {
        trace.getTracer('x').startSpan('big', { attributes: { text: 'x'.repeat(50_000) } }).end();
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      await provider.forceFlush();
      console.log(JSON.stringify({ drops, stats: processor.stats }));
      process.exit(0);`;
    const env = { SPANDREL_COLLECTOR_ENDPOINT: proxy.url };
    const path = await installed.write('bounded.mjs', program);
    const kinds = {
      'memory-full': { spill: false, memoryBytesMax: 500_000 },
      'spill-full': { spill: { folder: join(installed.folder, 'spill-full'), bytesMax: 500_000 } },
    };
    for (const [reason, options] of Object.entries(kinds)) {
      const { stdout, stderr } = await run(process.execPath, [path, JSON.stringify(options)], {
        cwd: installed.folder,
        env: environment(env),
      });
      const { drops, stats } = JSON.parse(stdout) as {
        drops: { spanCount: number; reason: string }[];
        stats: { waitingSpanCount: number; droppedSpanCount: number };
      };
      assert.ok(
        drops.every((drop) => drop.reason === reason),
        reason,
      );
      assert.equal(
        drops.reduce((sum, { spanCount }) => sum + spanCount, 0),
        stats.droppedSpanCount,
      );
      assert.equal(stats.waitingSpanCount + stats.droppedSpanCount, 40);
      assert.ok(stats.waitingSpanCount >= 5 && stats.waitingSpanCount <= 10, `${stats.waitingSpanCount} wait`);
      // One line for each reason; the process that ends without files drops the rest.
      assert.equal(stderr.match(/spans were dropped/g)?.length, reason === 'memory-full' ? 2 : 1);
    }
  });

  test('logs one line about a wrong key, and sends when the key is right', async (t) => {
    const guarded = createServer((request, response) => {
      const isRight = request.headers.authorization === 'Bearer right-key';
      response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' }).end('{}');
      request.resume();
    }).listen(0, '127.0.0.1');
    t.after(() => guarded.close());
    await once(guarded, 'listening');
    const { port } = guarded.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const env = { SPANDREL_COLLECTOR_ENDPOINT: url, SPANDREL_SPILL_DIR: join(installed.folder, 'spill-key') };
    const program = `import { register, trace } from '@spandrel/tracing';
      const provider = register({ projectName: 'locked' });
      trace.getTracer('x').startSpan('kept').end();
      await provider.forceFlush();`;
    const wrong = await runProgram('wrong-key.mjs', program, { ...env, SPANDREL_API_KEY: 'no-such-key-of-anyone' });
    assert.match(wrong.stderr, /^Spans wait in \S+ until the server takes them\. .*401.*\n$/);
    assert.doesNotMatch(wrong.stderr, /no-such-key/);
    const right = await runProgram('right-key.mjs', FLUSH, { ...env, SPANDREL_API_KEY: 'right-key' });
    assert.equal(right.stderr, '');
    assert.match(right.stdout, /"sentSpanCount":1/);
  });

  test('warns once of a clock that is wrong, and sends all the same', async (t) => {
    const dated = async (offsetMs: number) => {
      const collector = createServer((request, response) => {
        request.resume();
        response.writeHead(200, { date: new Date(Date.now() + offsetMs).toUTCString() }).end();
      }).listen(0, '127.0.0.1');
      t.after(() => collector.close());
      await once(collector, 'listening');
      const { port } = collector.address() as AddressInfo;
      return runProgram(
        'clock.mjs',
        `import { register, trace } from '@spandrel/tracing';
        const provider = register({ projectName: 'dated' });
        for (const name of ['first', 'second']) {
          trace.getTracer('x').startSpan(name).end();
          await provider.forceFlush();
        }`,
        {
          SPANDREL_COLLECTOR_ENDPOINT: `http://127.0.0.1:${port}`,
          SPANDREL_SPILL_DIR: join(installed.folder, 'clock'),
        },
      );
    };

    assert.equal((await dated(-60_000)).stderr, '');
    assert.match(
      (await dated(-86_400_000)).stderr,
      /^The clock of this machine is 24 hours ahead of that of http:\S+, so times of spans and results are wrong\. Turn on time synchronization .*\n$/,
    );
  });

  test('runs without Node: no files, no process', async () => {
    const input = join(installed.folder, 'node_modules/@spandrel/tracing/dist/web.js');
    const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    const code = output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('');
    assert.doesNotMatch(code, /from\s*["']node:/);
    await installed.write('web-bundle.mjs', code);
    const { stdout } = await runProgram(
      'web.mjs',
      `const [url, log] = [process.env.SPANDREL_COLLECTOR_ENDPOINT, console.log];
       delete globalThis.process;
       const { register, withTraceContext, traceChain } = await import('./web-bundle.mjs');
       const provider = register({ projectName: 'web', url });
       withTraceContext({ sessionId: 'w' }, () => traceChain((x) => x, { name: 'page' })(1));
       await provider.forceFlush();
       log('done');`,
    );
    assert.equal(stdout, 'done\n');
    assert.equal((await spansOf('web', 1)).get('page')?.attributes['session.id'], 'w');
  });
});

/** Takes over what ended processes have left, and sends it. */
const FLUSH = `import { getDefaultSpanProcessor } from '@spandrel/tracing';
const processor = getDefaultSpanProcessor();
await processor.forceFlush(20_000);
console.log(JSON.stringify(processor.stats));
await processor.shutdown();`;

/** Ends 10 spans each 20 ms, and prints how many have ended. */
const STEADY = `import { register, trace } from '@spandrel/tracing';
const [, , projectName, name] = process.argv;
register({ projectName });
let count = 0;
setInterval(() => {
  for (let i = 0; i < 10; i++) trace.getTracer('x').startSpan(name + ' ' + count++).end();
  process.stdout.write(count + '\\n');
}, 20);`;

function countEnded(child: ChildProcess): { readonly at: number; readonly count: number }[] {
  const ended: { readonly at: number; readonly count: number }[] = [];
  child.stdout?.on('data', (chunk: Buffer) => {
    const count = Number(String(chunk).trim().split('\n').at(-1));
    ended.push({ at: Date.now(), count });
  });
  return ended;
}

/** Accepts connections and never responds. */
async function openSilentServer(t: { after(work: () => Promise<void>): void }): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  const listener = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
