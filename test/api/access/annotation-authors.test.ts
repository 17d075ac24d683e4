import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, openTestPostgres, temporaryDirectory } from '../../metadata-store/fixtures.ts';
import { startServer } from '../../e2e/server-process.ts';
import {
  type AuthorServer,
  annotate,
  ask,
  call,
  listed,
  openAuthorServer,
  SPAN_ID,
  TRACE_ID,
  type UserClient,
} from './author-server.ts';
import { ADMIN_SECRET, type Client, SECRET, toClient } from './signed-in-server.ts';

let server: AuthorServer;
let ann: UserClient;
let ben: UserClient;
let targets: AuthorServer['targets'];
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openAuthorServer({ after: cleanUp });
  ({ ann, ben, targets } = server);
});

/** The four kinds of annotations, over GraphQL. */
const KINDS = [
  { noun: 'span', kind: 'Span', target: () => ({ spanId: targets.span }) },
  { noun: 'trace', kind: 'Trace', target: () => ({ traceId: targets.trace }) },
  { noun: 'document', kind: 'Document', target: () => ({ spanId: targets.span, documentPosition: 0 }) },
] as const;

const VALUE = { annotatorKind: 'HUMAN', label: 'x', metadata: {}, source: 'APP' } as const;

async function createAnnotation(by: Client, { kind, noun, target }: (typeof KINDS)[number], more: object) {
  const { made } = await ask(
    by,
    `mutation ($input: [Create${kind}AnnotationInput!]!) {made: create${kind}Annotations(input: $input) {
      some: ${noun}Annotations {id identifier user {username}}}}`,
    { input: [{ ...VALUE, ...target(), ...more }] },
  );
  return made.some[0] as { id: string; identifier: string; user: { username: string } };
}

describe('an annotation', () => {
  for (const each of KINDS) {
    const { noun, kind } = each;
    const denied = `At least one ${noun} annotation is not associated with the current user.`;

    test(`of a ${noun} belongs to its author, beside those of others in the interface`, async () => {
      const [own, other] = [
        await createAnnotation(ben, each, { name: 'q' }),
        await createAnnotation(ann, each, { name: 'q' }),
      ];
      assert.deepEqual([own.identifier, own.user.username], [`px-app:${ben.id}`, 'ben']);
      assert.deepEqual([other.identifier, other.user.username], [`px-app:${ann.id}`, 'ann']);
      const patch = (by: Client, id: string) =>
        by.graphql(
          `mutation ($input: [PatchAnnotationInput!]!) {patch${kind}Annotations(input: $input) {__typename}}`,
          {
            input: [{ annotationId: id, label: 'y' }],
          },
        );
      const remove = (by: Client, ...ids: string[]) =>
        by.graphql(
          `mutation ($input: DeleteAnnotationsInput!) {delete${kind}Annotations(input: $input) {__typename}}`,
          {
            input: { annotationIds: ids },
          },
        );
      assert.deepEqual((await patch(ann, own.id)).errors, [denied], 'an administrator changes none of others');
      assert.deepEqual((await patch(ben, other.id)).errors, [denied]);
      assert.deepEqual((await patch(ben, own.id)).errors, []);
      assert.deepEqual((await remove(ben, own.id, other.id)).errors, [denied]);
      assert.deepEqual(
        (await remove(ann, own.id, other.id)).errors,
        [],
        'both are there, and an administrator deletes them',
      );
    });
  }

  test('of a session belongs to its author', async () => {
    const create = (by: Client) =>
      by.graphql(
        `mutation ($input: CreateProjectSessionAnnotationInput!) {made: createProjectSessionAnnotations(input: $input) {
          one: projectSessionAnnotation {id}}}`,
        { input: { name: 'q', label: 'x', metadata: {}, projectSessionId: targets.session } },
      );
    const id = ((await create(ben)).data as { made: { one: { id: string } } }).made.one.id;
    assert.deepEqual((await create(ann)).errors, [], 'it has an identifier of its own');
    const denied = ['At least one session annotation is not associated with the current user.'];
    const update = (by: Client) =>
      by.graphql(
        `mutation ($input: UpdateAnnotationInput!) {updateProjectSessionAnnotations(input: $input) {__typename}}`,
        {
          input: { id, name: 'q', label: 'y', metadata: {} },
        },
      );
    const remove = (by: Client) => by.graphql(`mutation {deleteProjectSessionAnnotation(id: "${id}") {__typename}}`);
    assert.deepEqual((await update(ann)).errors, denied);
    assert.deepEqual((await update(ben)).errors, []);
    assert.deepEqual((await remove(await server.newClient('cat', 'MEMBER'))).errors, denied);
    assert.deepEqual((await remove(ann)).errors, []);
  });

  test('of a document does not replace that of another user over GraphQL', async () => {
    const [, , document] = KINDS;
    await createAnnotation(ben, document, { name: 'fixed', identifier: 'one' });
    const input = [{ ...VALUE, ...document.target(), name: 'fixed', identifier: 'one' }];
    const { errors } = await ann.graphql(
      'mutation ($input: [CreateDocumentAnnotationInput!]!) {createDocumentAnnotations(input: $input) {__typename}}',
      { input },
    );
    assert.deepEqual(errors, ['At least one document annotation is not associated with the current user.']);
  });

  test('that replaces one of the same name and identifier gets its author', async () => {
    await annotate(ben, 'replaced');
    await annotate(ann, 'replaced');
    const found = await listed(ben, 'replaced');
    assert.deepEqual(
      found.map(({ user_id }) => user_id),
      [ann.id],
    );
  });

  test('is deleted over REST by its author, and all are by administrators', async () => {
    await annotate(ben, 'bulk', { identifier: 'ben' });
    await annotate(ann, 'bulk', { identifier: 'ann' });
    await call(ben, 'DELETE', '/v1/projects/default/span_annotations?name=bulk&delete_all=true');
    const left = await listed(ben, 'bulk');
    assert.deepEqual(
      left.map(({ user_id }) => user_id),
      [ann.id],
    );
    await annotate(ben, 'bulk', { identifier: 'ben' });
    await call(ann, 'DELETE', '/v1/projects/default/span_annotations?name=bulk&delete_all=true');
    assert.deepEqual(await listed(ben, 'bulk'), []);
  });
});

describe('a server that was killed', () => {
  test('replays annotations with their authors', async () => {
    const postgres = await openTestPostgres(cleanUp);
    const dataDir = await temporaryDirectory(cleanUp);
    const env = {
      SERVICE_SQL_DATABASE_URL: await postgres.newDatabase(),
      SERVICE_ENABLE_AUTH: 'true',
      SERVICE_SECRET: SECRET,
      SERVICE_ADMIN_SECRET: ADMIN_SECRET,
    };
    let running = await startServer({ dataDir, env });
    const admin = toClient(running.url, { bearer: ADMIN_SECRET });
    const span = {
      name: 's',
      context: { trace_id: TRACE_ID, span_id: SPAN_ID },
      span_kind: 'LLM',
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2026-01-01T00:00:01Z',
      status_code: 'OK',
    };
    await call(admin, 'POST', '/v1/projects/default/spans', { data: [span] });
    await annotate(admin, 'kept');
    const before = await listed(admin, 'kept');

    await running.kill9();
    running = await startServer({ dataDir, env });
    const again = toClient(running.url, { bearer: ADMIN_SECRET });
    cleanUp(async () => void (await running.stop()));

    assert.deepEqual(await listed(again, 'kept'), before);
    assert.ok(before[0]?.user_id);
  });
});
