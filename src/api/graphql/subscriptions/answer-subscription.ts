import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { HttpRequest, HttpResponse } from '../../../server/route.ts';
import { withGlobalIds } from '../../contract/error-texts.ts';
import type { GraphqlContext } from '../context.ts';
import { createContext } from '../context.ts';
import type { CompiledSubscription } from '../execution/compiled-subscription.ts';
import { InvalidVariables } from '../execution/compiled-subscription.ts';
import type { RequestLoad } from '../execution/request-load.ts';
import type { OpenSubscriptions } from './open-subscriptions.ts';
import { PayloadBuilder } from './payload-builder.ts';
import { type StreamForm, streamHeaders } from './stream-forms.ts';
import { subscriptionBody } from './subscription-body.ts';

export interface SubscriptionRequest {
  readonly request: HttpRequest;
  readonly compiled: CompiledSubscription;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Estimated cost of one payload, in resolved fields. */
  readonly cost: number;
  readonly form: StreamForm;
  readonly load: RequestLoad;
  readonly subscriptions: OpenSubscriptions;
  /** Parts of the context that do not depend on a payload. */
  readonly context: Pick<GraphqlContext, 'domain' | 'isReadOnly' | 'storageLock' | 'storage'>;
  readonly formatErrors: (errors: readonly GraphQLError[], signal: AbortSignal) => GraphQLFormattedError[];
  /** Called before the end of the stream is sent, so that later reads of the caller see its results. */
  readonly beforeEnd: () => Promise<void>;
}

/**
 * Starts a subscription and sends its payloads. An error before the work starts is thrown, and is an ordinary response. Later
 * errors are payloads.
 */
export async function answerSubscription(given: SubscriptionRequest): Promise<HttpResponse> {
  const { request, compiled, variables, cost, form, load, subscriptions, context } = given;
  const { heartbeatMs, waitingCharsMax } = subscriptions.limits;
  const controller = subscriptions.open(request.caller, request.clientAddress, request.signal);
  const { signal } = controller;
  try {
    // The input stays in memory while its work runs.
    const inputChars = request.body.byteLength;
    load.holdChars(inputChars);
    signal.addEventListener('abort', () => load.releaseChars(inputChars), { once: true });
    const { domain, storageLock } = context;
    // Many that start together share the time of an iteration of the event loop.
    if (load.slices.isOver()) await load.slices.waitOrLeave(signal);
    const source = await compiled.open({ domain, storageLock, signal }, variables);
    signal.throwIfAborted();
    const formatErrors = (errors: readonly GraphQLError[]) => given.formatErrors(errors, signal);
    const failed = (error: unknown) => JSON.stringify({ data: null, errors: formatErrors(toErrors(error)) });
    const builder = new PayloadBuilder({
      ...{ compiled, source, load, cost, signal, failed, formatErrors },
      newContext: (work) => createContext({ ...context, work, signOut: () => {} }),
    });
    const { beforeEnd } = given;
    return {
      status: 200,
      headers: streamHeaders(form),
      body: subscriptionBody({
        ...{ source, builder, form, controller, heartbeatMs, waitingCharsMax, failed, beforeEnd },
        client: request.signal,
        held: load,
      }),
    };
  } catch (error) {
    controller.abort();
    throw error;
  }
}

/** The errors of a subscription that ends with them. */
export function toErrors(thrown: unknown): readonly GraphQLError[] {
  if (thrown instanceof InvalidVariables) return thrown.errors;
  const error = withGlobalIds(thrown);
  if (error instanceof GraphQLError) return [error];
  const originalError = error instanceof Error ? error : new Error(String(error));
  return [new GraphQLError(originalError.message, { originalError })];
}
