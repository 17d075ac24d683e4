import assert from 'node:assert/strict';
import { type Client, openSignedInServer, type SignedInServer } from './signed-in-server.ts';

export const TRACE_ID = '1'.repeat(32);
export const SPAN_ID = '2'.repeat(16);

export interface UserClient extends Client {
  /** Global ID of the user. */
  readonly id: string;
}

export interface AuthorServer extends SignedInServer {
  /** An administrator. */
  readonly ann: UserClient;
  /** A member. */
  readonly ben: UserClient;
  /** Global IDs of a span with a document, its trace and its session. */
  readonly targets: { readonly span: string; readonly trace: string; readonly session: string };
  newClient(username: string, role: 'ADMIN' | 'MEMBER'): Promise<UserClient>;
}

/** A server with two users and a span in the default project. */
export async function openAuthorServer(t: { after(work: () => Promise<void>): void }): Promise<AuthorServer> {
  const server = await openSignedInServer(t);
  await server.append({
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    spanKind: 'RETRIEVER',
    sessionId: 's',
    attributes: { retrieval: { documents: [{ document: { content: 'a' } }] } },
  });
  const newClient = async (username: string, role: 'ADMIN' | 'MEMBER') => {
    const { access, id } = await server.newUser(username, role);
    return { ...server.as({ bearer: access }), id };
  };
  const [ann, ben] = [await newClient('ann', 'ADMIN'), await newClient('ben', 'MEMBER')];
  const { project } = await ask(
    server.admin,
    `{project: getProjectByName(name: "default") {spans(first: 1) {edges {node {id trace {id session {id}}}}}}}`,
  );
  const [{ node }] = project.spans.edges;
  const targets = { span: node.id, trace: node.trace.id, session: node.trace.session.id };
  return { ...server, ann, ben, targets, newClient };
}

/** Data of an operation without errors. */
// biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
export async function ask(client: Client, text: string, variables?: object): Promise<any> {
  const { data, errors } = await client.graphql(text, variables);
  assert.deepEqual(errors, []);
  return data;
}

/** Data of a response without errors. */
// biome-ignore lint/suspicious/noExplicitAny: the route determines the shape
export async function call(client: Client, method: string, path: string, json?: unknown): Promise<any> {
  const reply = await client.call(method, path, json);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
  return (reply.json as { data: unknown } | undefined)?.data;
}

/** Annotates the span over REST. Returns the global ID. */
export const annotate = (by: Client, name: string, more: object = {}) =>
  call(by, 'POST', '/v1/span_annotations?sync=true', {
    data: [{ span_id: SPAN_ID, name, annotator_kind: 'HUMAN', result: { score: 1 }, ...more }],
  }).then(([{ id }]) => id as string);

/** Annotations of the span with a name, over REST. */
export const listed = async (by: Client, name: string): Promise<{ user_id: string | null; identifier: string }[]> =>
  call(by, 'GET', `/v1/projects/default/span_annotations?span_ids=${SPAN_ID}&include_annotation_names=${name}`);
