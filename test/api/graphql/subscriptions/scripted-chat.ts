import type { TestContext } from 'node:test';
import { SIGN_IN_OFF } from '../../../../src/model/access/caller.ts';
import type { ChatEvent, ChatEventBody } from '../../../../src/model/playground/chat-event.ts';
import type { Domain } from '../../../../src/domain/domain.ts';
import { type EngineName, openTestServer } from '../../../server/http/server-under-test.ts';
import { openGraphql } from '../../../../src/api/graphql/routes.ts';
import type { SubscriptionLimits } from '../../../../src/api/graphql/subscriptions/open-subscriptions.ts';
import { ACCEPT, type Transport } from './stream-readers.ts';

export type Script = (input: ScriptedInput, signal: AbortSignal) => AsyncIterable<ChatEvent>;

// biome-ignore lint/suspicious/noExplicitAny: tests look at single fields
export type ScriptedInput = any;

export interface ScriptedServer {
  readonly address: string;
  readonly errors: readonly { readonly message: string }[];
  /** Ends the subscriptions, as a server does that stops. */
  close(): void;
  subscribe(
    transport: Transport,
    options?: { readonly query?: string; readonly variables?: object } & RequestInit,
  ): Promise<Response>;
}

export interface ScriptedOptions {
  readonly engine?: EngineName;
  readonly limits?: Partial<SubscriptionLimits>;
  readonly isReadOnly?: boolean;
  readonly storageLock?: () => string | undefined;
  readonly responseStallMsMax?: number;
  /** Operations that payloads read with. */
  readonly reads?: object;
}

/** The GraphQL API on a listener of its own, over a domain whose chat completions send scripted events. */
export async function openScriptedServer(
  t: TestContext,
  script: Script,
  { engine = 'node', limits = {}, isReadOnly = false, storageLock = () => undefined, ...options }: ScriptedOptions = {},
): Promise<ScriptedServer> {
  const nouns: Record<string, unknown> = { caller: SIGN_IN_OFF, playground: { streamChat: script }, ...options.reads };
  // Loaders name the reads of every noun, and call none.
  const domain = new Proxy(nouns, { get: (known, noun: string) => known[noun] ?? {} }) as unknown as Domain;
  const errors: { message: string }[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (_: object, message: string) => errors.push({ message }) };
  const graphql = openGraphql({
    domainFor: () => domain,
    log: log as never,
    isReadOnly,
    storageLock,
    storage: {} as never,
    signOutCookies: [],
    consolePage: { status: 200 },
    subscriptionLimits: limits,
  });
  const { responseStallMsMax } = options;
  const server = await openTestServer(t, engine, graphql.routes, {
    limits: { drainMsMax: 2_000, ...(responseStallMsMax && { responseStallMsMax }) },
  });
  return {
    address: server.address,
    errors,
    close: () => graphql.close(),
    subscribe: (transport, { query = CHAT, variables = { input: chatInput() }, ...init } = {}) =>
      fetch(`${server.address}/graphql`, {
        method: 'POST',
        body: JSON.stringify({ query, variables }),
        ...init,
        headers: { 'content-type': 'application/json', accept: ACCEPT[transport], ...init.headers },
      }),
  };
}

export const CHAT = `subscription Chat($input: ChatCompletionInput!) {
  chatCompletion(input: $input) {
    __typename
    repetitionNumber
    ... on TextChunk { content }
    ... on ToolCallChunk { id function { name arguments } }
    ... on ChatCompletionSubscriptionError { message }
    ... on ChatCompletionSubscriptionResult { span { id } }
  }
}`;

export const chatInput = (changes: object = {}) => ({
  promptVersion: {
    templateFormat: 'MUSTACHE',
    template: { messages: [{ role: 'USER', content: [{ text: { text: 'Say {{what}}' } }] }] },
    invocationParameters: { openai: { temperature: 0.5 } },
    modelProvider: 'OPENAI',
    modelName: 'gpt-4o',
  },
  repetitions: 1,
  ...changes,
});

/** An event of a repetition. */
export const at = (repetitionNumber: number, body: ChatEventBody): ChatEvent => ({
  ...body,
  exampleRowId: null,
  repetitionNumber,
});
export const text = (content: string, repetitionNumber = 1): ChatEvent =>
  at(repetitionNumber, { type: 'text', text: content });
export const result = (repetitionNumber = 1): ChatEvent =>
  at(repetitionNumber, { type: 'result', spanRowId: null, runRowId: null });
