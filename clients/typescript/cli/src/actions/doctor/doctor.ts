import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerError, HttpError, type SpandrelClient } from '@spandrel/client';
import type { Action, Invocation } from '../../command-line/command.ts';
import { EXIT } from '../../exit-codes.ts';
import { toLine } from '../../output/text.ts';
import { readSetting } from '../../settings/environment.ts';
import { type OpenedClient, openClient } from '../../settings/open-client.ts';
import { toExportRequest } from './otlp.ts';
import { sendGrpc } from './send-grpc.ts';

interface Check {
  readonly name: string;
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly finding: string;
  /** What to do about a failure. */
  readonly advice: string | null;
}

/** Skew from which times of spans mislead: they would seem to be in the future. */
const SKEW_MS_MAX = 5_000;
const READ_BACK_MS_MAX = 10_000;
const GRPC_MS_MAX = 5_000;
const DEFAULT_PROJECT = 'default';

const ok = (name: string, finding: string): Check => ({ name, state: 'ok', finding, advice: null });
const skipped = (name: string, finding: string): Check => ({ name, state: 'skipped', finding, advice: null });
const failed = (name: string, finding: string, advice: string): Check => ({ name, state: 'failed', finding, advice });

/** Checks the way of a span from this machine to the server and back. Exit code 6 when something does not work. */
export const runDoctor: Action = async (invocation) => {
  const { settings, out, isSet, signal } = invocation;
  const opened = await openClient(settings, { attemptCountMax: 1 }, (message) => out.note(message));
  const checks: Check[] = [];
  const record = async (check: Check) => {
    checks.push(check);
    if (out.isPretty) await out.line(toText(check, invocation));
  };
  const { check, isReached } = await checkAddress(opened, signal);
  await record(check);
  if (isReached) {
    const { client } = opened;
    await record(await checkVersion(client, signal));
    const signIn = await checkSignIn(opened, signal);
    await record(signIn);
    await record(await checkClock(client, signal));
    if (isSet('no-send')) await record(skipped('spans', '--no-send: no span was sent'));
    else
      for (const transport of ['HTTP', 'gRPC'] as const) await record(await checkSpan(opened, transport, invocation));
  }
  const isFine = checks.every(({ state }) => state !== 'failed');
  if (!out.isPretty) await out.item({ endpoint: opened.client.config.baseUrl, isFine, checks }, () => '');
  return isFine ? EXIT.ok : EXIT.notVerified;
};

function toText({ name, state, finding, advice }: Check, { out }: Invocation): string {
  const sign = state === 'ok' ? out.paint('green', '✓') : state === 'failed' ? out.paint('red', '✗') : '–';
  return `${sign} ${name.padEnd(12)} ${toLine(finding, 300)}${advice ? `\n  ${' '.repeat(12)} ${advice}` : ''}`;
}

async function checkAddress(
  { client, endpointSource }: OpenedClient,
  signal: AbortSignal,
): Promise<{ readonly check: Check; readonly isReached: boolean }> {
  const { baseUrl } = client.config;
  try {
    await client.fetch('/arize_phoenix_version', { signal });
    return { check: ok('address', `${baseUrl} (from ${endpointSource})`), isReached: true };
  } catch (error) {
    if (signal.aborted) throw error;
    const advice =
      error instanceof HttpError || error instanceof AnswerError
        ? 'Something else answers there, or the path of a proxy is missing: spandrel doctor --endpoint https://host/path'
        : 'Start the server (spandrel serve, on its machine), or name its address: --endpoint <url>, or SPANDREL_ENDPOINT.';
    return { check: failed('address', (error as Error).message, advice), isReached: false };
  }
}

async function checkVersion(client: SpandrelClient, signal: AbortSignal): Promise<Check> {
  try {
    const version = await client.getServerVersion();
    // Only ours has it; servers of the product that it replaces do without.
    const response = await client.fetch('/openapi.json', { signal });
    await response.body?.cancel();
    return ok('version', `the server speaks version ${version} of the interface`);
  } catch (error) {
    return failed('version', (error as Error).message, 'Use a server from this year, or the client of that server.');
  }
}

async function checkSignIn({ client, credentialSource }: OpenedClient, signal: AbortSignal): Promise<Check> {
  try {
    const { data } = await client.GET('/v1/user', { signal });
    const user = data?.data as { readonly auth_method: string; readonly username?: string; readonly role?: string };
    if (user.auth_method === 'ANONYMOUS') return ok('sign-in', 'off: no key is needed');
    return ok('sign-in', `${user.username} (${user.role}), credential from ${credentialSource}`);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status !== 401) return ok('sign-in', `the credential from ${credentialSource} is accepted`);
    const finding =
      credentialSource === 'none'
        ? 'the server wants a key, and there is none'
        : error.errorCode === 'CREDENTIAL_EXPIRED'
          ? 'the key is rejected: it has expired'
          : 'the key is rejected: it is wrong or deleted';
    return failed(
      'sign-in',
      finding,
      'spandrel auth login, or create a key in the profile page and set SPANDREL_API_KEY.',
    );
  }
}

async function checkClock(client: SpandrelClient, signal: AbortSignal): Promise<Check> {
  const startedAt = Date.now();
  const response = await client.fetch('/arize_phoenix_version', { signal });
  await response.body?.cancel();
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return skipped('clock', 'the server states no time');
  // The header has whole seconds, so half of one is the best guess.
  const skewMs = date + 500 - (startedAt + Date.now()) / 2;
  if (Math.abs(skewMs) <= SKEW_MS_MAX) return ok('clock', 'agrees with the server');
  return failed(
    'clock',
    `this machine is ${toRoughDuration(Math.abs(skewMs) / 1_000)} ${skewMs > 0 ? 'behind' : 'ahead of'} the server`,
    'Spans would have wrong times. Turn on time synchronization (timedatectl set-ntp true) on the machine that is wrong.',
  );
}

/** `3 s`, `2 minutes`, `24 hours`: a person looks for the unit that is wrong. */
function toRoughDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`;
}

async function checkSpan(opened: OpenedClient, transport: 'HTTP' | 'gRPC', invocation: Invocation): Promise<Check> {
  const { signal } = invocation;
  const { client } = opened;
  const projectName = opened.projectName ?? DEFAULT_PROJECT;
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const message = toExportRequest({ traceId, spanId, name: 'spandrel doctor', projectName, atMs: Date.now() });
  const name = `span, ${transport}`;
  const startedAt = performance.now();
  const problem =
    transport === 'HTTP' ? await sendHttp(client, message, signal) : await sendOverGrpc(opened, message, invocation);
  if (problem) return problem(name);
  const state = await readBack(client, projectName, traceId, signal);
  if (state === 'unreadable') return ok(name, 'accepted; the key may not read it back');
  if (state === 'missing') {
    return failed(
      name,
      `accepted, and not readable after ${READ_BACK_MS_MAX / 1_000} s`,
      'Look at the log of the server, and at /readyz.',
    );
  }
  const tookMs = Math.round(performance.now() - startedAt);
  return ok(name, `readable in project ${projectName} after ${tookMs} ms, and deleted again`);
}

type Problem = (name: string) => Check;

async function sendHttp(client: SpandrelClient, message: Buffer, signal: AbortSignal): Promise<Problem | undefined> {
  try {
    const headers = { 'content-type': 'application/x-protobuf' };
    const body = new Uint8Array(message);
    const response = await client.fetch('/v1/traces', { method: 'POST', headers, body, signal });
    await response.body?.cancel();
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return (name) =>
      failed(
        name,
        (error as Error).message,
        'Exporters need a key that may send spans, and the path /v1/traces through every proxy.',
      );
  }
}

async function sendOverGrpc(opened: OpenedClient, message: Buffer, { text }: Invocation): Promise<Problem | undefined> {
  const { protocol, hostname } = new URL(opened.client.config.baseUrl);
  const port = text('grpc-port') ?? readSetting('GRPC_PORT') ?? '4317';
  const origin = `${protocol}//${hostname}:${port}`;
  const finding = await sendGrpc(origin, message, opened.authorization(), GRPC_MS_MAX);
  if (finding === undefined) return undefined;
  return (name) =>
    failed(
      name,
      `${origin}: ${finding}`,
      'Name the port with --grpc-port, open it in firewalls, or let exporters use HTTP (OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf).',
    );
}

/** Waits until the span can be read, and deletes it. */
async function readBack(
  client: SpandrelClient,
  project: string,
  traceId: string,
  signal: AbortSignal,
): Promise<'read' | 'missing' | 'unreadable'> {
  const params = { path: { project_identifier: project }, query: { trace_id: [traceId], limit: 1 } };
  const until = performance.now() + READ_BACK_MS_MAX;
  while (performance.now() < until) {
    try {
      const { data } = await client.GET('/v1/projects/{project_identifier}/spans', { params, signal });
      if (data?.data.length) {
        const path = { trace_identifier: traceId };
        await client.DELETE('/v1/traces/{trace_identifier}', { params: { path }, signal });
        return 'read';
      }
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (error.status === 403 || error.status === 401) return 'unreadable';
      // The first span of a project creates it.
      if (error.status !== 404) throw error;
    }
    await sleep(100, undefined, { signal });
  }
  return 'missing';
}
