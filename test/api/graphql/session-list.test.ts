import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestServer } from '../test-server.ts';

test('sessions are found by the texts of their root spans, and by the ID of the application', async (t) => {
  const server = await openTestServer(t);
  const said = ['Refund me', `it's a "quote" \\ and\na line`, 'nothing'];
  await server.append(
    ...said.map((input, at) => ({
      traceId: `${at}`.padStart(32, '0'),
      spanId: `${at}`.padStart(16, '0'),
      project: 'app',
      sessionId: `chat '${at}'`,
      input,
      ...(at === 2 && { output: 'REFUNDED' }),
    })),
  );
  const ask = async (variables: object) => {
    const { data, errors } = await server.post(
      `query($io:String,$id:String,$condition:String){getProjectByName(name:"app"){
         sessions(first:9,filterIoSubstring:$io,sessionId:$id,sessionFilterCondition:$condition){edges{node{sessionId}}}}}`,
      variables,
    );
    if (errors) return errors;
    return data.getProjectByName.sessions.edges.map(({ node }: { node: { sessionId: string } }) => node.sessionId);
  };

  assert.deepEqual(await ask({}), ["chat '0'", "chat '1'", "chat '2'"]);
  assert.deepEqual(await ask({ io: 'refund' }), ["chat '0'", "chat '2'"]);
  assert.deepEqual(await ask({ io: `"quote" \\ and\n` }), ["chat '1'"]);
  assert.deepEqual(await ask({ id: "chat '1'" }), ["chat '1'"]);
  assert.deepEqual(await ask({ io: 'refund', id: "chat '1'" }), []);
  assert.deepEqual(await ask({ io: 'refund', condition: 'session_id == "chat \'2\'" or num_traces > 5' }), [
    "chat '2'",
  ]);
  assert.equal((await ask({ io: 'refund', condition: 'num_traces > 0) or (num_traces > 0' })).length, 1);
});
