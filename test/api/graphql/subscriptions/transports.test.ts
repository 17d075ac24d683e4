import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpandrelError } from '../../../../src/model/errors.ts';
import { at, chatInput, openScriptedServer, result, text } from './scripted-chat.ts';
import { readPayloads, readStream, TRANSPORTS } from './stream-readers.ts';

const chunk = (content: string, repetitionNumber = 1) => ({
  data: { chatCompletion: { __typename: 'TextChunk', repetitionNumber, content } },
});
const end = (repetitionNumber = 1) => ({
  data: { chatCompletion: { __typename: 'ChatCompletionSubscriptionResult', repetitionNumber, span: null } },
});

for (const engine of ['uws', 'node'] as const) {
  for (const transport of TRANSPORTS) {
    describe(`a subscription over ${transport} on ${engine}`, () => {
      test('sends each event as a payload while the work runs, and then ends', async (t) => {
        let goOn = () => {};
        const server = await openScriptedServer(
          t,
          async function* () {
            yield text('Hel');
            await new Promise<void>((resolve) => {
              goOn = resolve;
            });
            yield text('lo\n--graphql\r\n\r\n--graphql--');
            yield at(1, { type: 'toolCall', id: 'c1', name: 'f', arguments: '{"a":' });
            yield at(1, { type: 'restart' });
            yield at(1, { type: 'error', message: 'data: no', spanRowId: null, runRowId: null });
            yield result();
          },
          { engine },
        );

        const response = await server.subscribe(transport, { headers: { 'accept-encoding': 'gzip' } });
        const reading = readStream(response);
        let found = await reading.next();
        while (found.value === 'heartbeat') found = await reading.next();
        const payloads: unknown[] = [];

        assert.equal(response.status, 200);
        assert.equal(response.headers.get('cache-control'), 'no-store');
        // The work waits, so the first payload was sent by itself.
        assert.deepEqual(found.value, { payload: chunk('Hel') });
        goOn();
        for await (const one of reading) payloads.push(typeof one === 'object' ? one.payload.data.chatCompletion : one);
        assert.deepEqual(payloads, [
          { __typename: 'TextChunk', repetitionNumber: 1, content: 'lo\n--graphql\r\n\r\n--graphql--' },
          { __typename: 'ToolCallChunk', repetitionNumber: 1, id: 'c1', function: { name: 'f', arguments: '{"a":' } },
          { __typename: 'ChatCompletionSubscriptionError', repetitionNumber: 1, message: 'data: no' },
          { __typename: 'ChatCompletionSubscriptionResult', repetitionNumber: 1, span: null },
          'end',
        ]);
      });

      test('sends heartbeats while there is nothing else', async (t) => {
        const server = await openScriptedServer(
          t,
          async function* (_, signal) {
            await sleep(10_000, undefined, { signal }).catch(() => {});
            yield result();
          },
          { engine, limits: { heartbeatMs: 10 } },
        );

        let count = 0;
        for await (const one of readStream(await server.subscribe(transport))) {
          assert.equal(one, 'heartbeat');
          if (++count === 4) break;
        }

        assert.equal(count, 4);
      });

      test('ends the work when its reader has disconnected, and frees its slot', async (t) => {
        const { promise: aborted, resolve: onAbort } = deferred();
        const server = await openScriptedServer(
          t,
          async function* (_, signal) {
            signal.addEventListener('abort', () => onAbort());
            yield text('x');
            await sleep(60_000, undefined, { signal }).catch(() => {});
          },
          { engine, limits: { ofCallerCountMax: 1 } },
        );
        const leaving = new AbortController();
        const response = await server.subscribe(transport, { signal: leaving.signal });
        for await (const one of readStream(response)) if (one !== 'heartbeat') break;

        leaving.abort();
        await aborted;
        const again = new AbortController();
        const second = await server.subscribe(transport, { signal: again.signal });

        assert.match(second.headers.get('content-type')!, /multipart|event-stream/);
        again.abort();
      });

      test('ends with its reason when the server stops', async (t) => {
        const server = await openScriptedServer(
          t,
          async function* (_, signal) {
            yield text('x');
            await sleep(60_000, undefined, { signal });
          },
          { engine },
        );
        const response = await server.subscribe(transport);

        setTimeout(() => server.close(), 50);
        const payloads = await readPayloads(response);
        const late = await server.subscribe(transport);

        assert.deepEqual(payloads[0], chunk('x'));
        assert.equal(payloads[1]?.errors?.[0]?.extensions?.code, 'SHUTTING_DOWN');
        assert.equal(payloads.length, 2);
        assert.match(await late.text(), /SHUTTING_DOWN/);
      });

      test('sends the failure of the work as the last payload, and hides one that is not expected', async (t) => {
        const failures = [new SpandrelError('PROMPT_INVALID', 'No variable what'), new Error('password=hunter2')];
        const server = await openScriptedServer(
          t,
          async function* () {
            yield text('x');
            throw failures.shift();
          },
          { engine },
        );

        const expected = await readPayloads(await server.subscribe(transport));
        const unexpected = await readPayloads(await server.subscribe(transport));

        assert.equal(expected[1]?.errors?.[0]?.message, 'No variable what');
        assert.equal(expected[1]?.errors?.[0]?.extensions?.code, 'PROMPT_INVALID');
        assert.equal(unexpected[1]?.errors?.[0]?.message, 'an unexpected error occurred');
        assert.deepEqual(server.errors, [{ message: 'A GraphQL field failed' }]);
      });

      test('merges the events of a cell while its reader is slow, loses none and keeps their order', async (t) => {
        const word = 'abcdefghij'.repeat(1_000);
        const eventCount = 1_600;
        const { promise: produced, resolve: onProduced } = deferred();
        const server = await openScriptedServer(
          t,
          async function* () {
            for (let i = 0; i < eventCount; i++) {
              yield text(`${i};`, 1);
              yield text(`${i};${word}`, 2);
              if (i % 100 === 0) await sleep(1);
            }
            yield result(1);
            yield result(2);
            onProduced();
          },
          { engine, limits: { waitingCharsMax: 64 * 1024 * 1024 } },
        );
        const response = await server.subscribe(transport);

        await produced;
        const payloads = (await readPayloads(response)).map(({ data }) => data.chatCompletion);

        const textOf = (cell: number) =>
          payloads.filter((one) => one.repetitionNumber === cell).reduce((all, { content = '' }) => all + content, '');
        const numbers = Array.from({ length: eventCount }, (_, i) => `${i};`);
        assert.equal(textOf(1), numbers.join(''));
        assert.equal(textOf(2), numbers.map((number) => number + word).join(''));
        // Fewer than half of the events, although the buffers of the connection take the first 4 MB before any are merged.
        assert.ok(payloads.length < eventCount, `${payloads.length} payloads`);
        const ends = payloads.filter(({ __typename }) => __typename === 'ChatCompletionSubscriptionResult');
        assert.deepEqual(
          ends.map(({ repetitionNumber }) => repetitionNumber),
          [1, 2],
        );
        assert.deepEqual(payloads.at(-1), end(2).data.chatCompletion);
      });

      test('ends with an error when its reader is too far behind', async (t) => {
        let sent = 0;
        const { promise: stopped, resolve: onStop } = deferred();
        const server = await openScriptedServer(
          t,
          async function* () {
            try {
              for (; sent < 100_000; sent++) {
                yield text('0123456789'.repeat(1_000));
                if (sent % 10 === 0) await sleep(0);
              }
            } finally {
              onStop();
            }
          },
          { engine, limits: { waitingCharsMax: 1024 * 1024 } },
        );
        const response = await server.subscribe(transport);

        await stopped;
        const payloads = await readPayloads(response);

        assert.equal(payloads.at(-1)?.errors?.[0]?.extensions?.code, 'SUBSCRIPTION_READER_SLOW');
        assert.ok(sent < 10_000, `${sent} events were taken`);
        const chars = payloads.reduce((sum, { data }) => sum + (data?.chatCompletion.content.length ?? 0), 0);
        assert.equal(chars, sent * 10_000);
      });
    });
  }
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('a subscription', () => {
  test('is rejected as JSON before its work starts', async (t) => {
    const server = await openScriptedServer(t, async function* () {
      yield result();
    });
    const messages = async (options: Parameters<typeof server.subscribe>[1]) => {
      const response = await server.subscribe('multipart', options);
      assert.equal(response.headers.get('content-type'), 'application/json');
      const { errors } = (await response.json()) as { errors: { message: string }[] };
      return { status: response.status, message: errors[0]!.message };
    };

    assert.deepEqual(await messages({ headers: { accept: 'application/json' } }), {
      status: 406,
      message: 'A subscription is sent as multipart/mixed or text/event-stream; accept one of them.',
    });
    const invalid = await messages({ variables: { input: { ...chatInput(), repetitions: 'two' } } });
    assert.equal(invalid.status, 200);
    assert.match(invalid.message, /repetitions/);
    assert.match((await messages({ variables: {} })).message, /input/);
    assert.match(
      (await messages({ variables: { input: chatInput({ headers: { 'x-a': 7 } }) } })).message,
      /The header x-a must be a string/,
    );
    assert.match((await messages({ query: 'subscription { a: chatCompletion }' })).message, /input|selection/);
    const got = await fetch(`${server.address}/graphql?query=${encodeURIComponent('subscription { __typename }')}`, {
      headers: { accept: 'text/event-stream' },
    });
    assert.equal(((await got.json()) as { errors: unknown[] }).errors.length, 1);
  });

  test('is rejected on a read-only server and while storage is full', async (t) => {
    const script = async function* () {
      yield result();
    };
    const readOnly = await openScriptedServer(t, script, { isReadOnly: true });
    const full = await openScriptedServer(t, script, { storageLock: () => 'Storage is full' });

    assert.match(await (await readOnly.subscribe('multipart')).text(), /Application is read-only/);
    assert.match(await (await full.subscribe('multipart')).text(), /Storage is full/);
  });

  test('takes its input from literals, variables of fields and defaults', async (t) => {
    const inputs: { repetitions: number; isStreamed: boolean }[] = [];
    const server = await openScriptedServer(t, async function* ({ repetitions, task }) {
      inputs.push({ repetitions, isStreamed: task.isStreamed });
      yield text('x');
    });
    const query = `subscription Chat($version: ChatPromptVersionInput!, $n: Int = 3, $typed: Boolean!) {
      ...F
    }
    fragment F on Subscription {
      mine: chatCompletion(input: { promptVersion: $version, repetitions: $n, streamModelOutput: false }) {
        __typename @include(if: $typed)
        repetitionNumber @skip(if: $typed)
      }
    }`;

    const payloads = await readPayloads(
      await server.subscribe('sse', { query, variables: { version: chatInput().promptVersion, typed: true } }),
    );

    assert.deepEqual(inputs, [{ repetitions: 3, isStreamed: false }]);
    assert.deepEqual(payloads, [{ data: { mine: { __typename: 'TextChunk' } } }]);
  });

  test('sends restarts only to operations that request them', async (t) => {
    const server = await openScriptedServer(t, async function* () {
      yield at(1, { type: 'restart' });
      yield result();
    });
    const query = `subscription($input: ChatCompletionInput!) {
      chatCompletion(input: $input) { __typename ... on ChatCompletionSubscriptionRestart { repetitionNumber } }
    }`;

    const asked = await readPayloads(await server.subscribe('sse', { query }));
    const others = await readPayloads(await server.subscribe('sse'));

    assert.deepEqual(
      asked.map(({ data }) => data.chatCompletion.__typename),
      ['ChatCompletionSubscriptionRestart', 'ChatCompletionSubscriptionResult'],
    );
    assert.equal(others.length, 1);
  });

  test('runs a limited number of times at once, and for a limited time', async (t) => {
    const script = async function* (_: unknown, signal: AbortSignal) {
      yield text('x');
      await sleep(60_000, undefined, { signal }).catch(() => {});
    };
    const server = await openScriptedServer(t, script, { limits: { ofCallerCountMax: 2, msMax: 200 } });

    const running = await Promise.all([server.subscribe('sse'), server.subscribe('sse')]);
    const third = await server.subscribe('sse');
    const payloads = await Promise.all(running.map(readPayloads));
    const fourth = await server.subscribe('sse');

    assert.match(await third.text(), /SUBSCRIPTIONS_TOO_MANY/);
    for (const one of payloads) assert.equal(one.at(-1)?.errors?.[0]?.extensions?.code, 'QUERY_TIMED_OUT');
    assert.equal((await readPayloads(fourth)).length, 2);
  });

  test('is cut when its reader stops reading without leaving', async (t) => {
    const { promise: aborted, resolve: onAbort } = deferred();
    const server = await openScriptedServer(
      t,
      async function* (_, signal) {
        signal.addEventListener('abort', () => onAbort());
        while (!signal.aborted) {
          yield text('0123456789'.repeat(10_000));
          await sleep(5);
        }
      },
      { responseStallMsMax: 300, limits: { waitingCharsMax: 1e9 } },
    );

    // Nobody reads the body.
    await server.subscribe('multipart');

    await aborted;
  });
});

describe('an operation over server-sent events', () => {
  test('is one event, with its errors, and the end', async (t) => {
    const server = await openScriptedServer(t, async function* () {});

    const query = await readPayloads(await server.subscribe('sse', { query: '{__typename}', variables: {} }));
    const unknown = await readPayloads(await server.subscribe('sse', { query: '{noSuchField}', variables: {} }));

    assert.deepEqual(query, [{ data: { __typename: 'Query' } }]);
    assert.match(unknown[0]!.errors![0]!.message, /noSuchField/);
  });
});
