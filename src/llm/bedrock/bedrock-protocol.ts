import { ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { type ExactJsonObject, isJsonObject } from '../../base/exact-json.ts';
import type { SentRequest } from '../contract/chat-model.ts';
import { ModelError } from '../contract/model-error.ts';
import type { ConnectionOf, Protocol } from '../protocol.ts';
import { toReportedError, unreadable } from '../response-error.ts';
import { toSentRequest } from '../sent-request.ts';
import type { VendorCall } from '../transport/vendor-transport.ts';
import { openClient } from './open-client.ts';
import { readConverse, readConverseEvents } from './read-response.ts';
import { toBody } from './to-body.ts';

type Connection = ConnectionOf<'aws_bedrock'>;

export const protocol: Protocol<Connection> = {
  async call({ modelName, connection, credentials }, request, { call, onPiece, onSend }) {
    const { isStreamed } = request;
    const body = toBody(request);
    const sent = describe(body);
    const { client, received } = await openClient(connection, credentials, call, {
      bodyText: sent.bodyText,
      isStreamed,
    });
    onSend(sent);
    // The package needs messages of its own, which are replaced by the body.
    const input = { modelId: modelName, messages: [] };
    if (!isStreamed) {
      await client.send(new ConverseCommand(input));
      return readConverse(await received(), onPiece);
    }
    const { stream } = await client.send(new ConverseStreamCommand(input));
    if (stream === undefined) throw unreadable('it is not a stream');
    try {
      return await readConverseEvents(stream, onPiece);
    } catch (error) {
      throw toStreamError(error, call);
    }
  },

  /** Calls a model that does not exist, so that nothing is charged: the vendor checks the credentials first. */
  async test({ connection, credentials }, call) {
    const bodyText = '{"messages":[{"role":"user","content":[{"text":"Hi"}]}],"inferenceConfig":{"maxTokens":1}}';
    const { client, received } = await openClient(connection, credentials, call, { bodyText, isStreamed: false });
    try {
      await client.send(new ConverseCommand({ modelId: UNKNOWN_MODEL, messages: [] }));
      await received();
    } catch (error) {
      if (!isUnknownModel(error)) throw error;
    }
  },
};

const UNKNOWN_MODEL = 'spandrel.test-does-not-exist';

function isUnknownModel(error: unknown): boolean {
  if (!(error instanceof ModelError)) return false;
  return (error.status === 400 || error.status === 404) && !/token|signature|credential/i.test(error.message);
}

/** Tools are a part of another object. */
function describe(body: ExactJsonObject): SentRequest {
  const sent = toSentRequest({ body, url: undefined, contentKeys: ['messages', 'system', 'toolConfig'] });
  const { tools, toolChoice } = isJsonObject(body.toolConfig) ? body.toolConfig : {};
  return {
    ...sent,
    parameters: { ...sent.parameters, ...(toolChoice !== undefined && { toolConfig: { toolChoice } }) },
    tools: Array.isArray(tools) ? tools.filter(isJsonObject) : [],
  };
}

/** The package throws the exceptions of a stream by their names. */
function toStreamError(error: unknown, call: VendorCall): unknown {
  if (!(error instanceof Error) || error instanceof ModelError) return error;
  if (!/Exception$/.test(error.name)) return error;
  const type = error.name === 'ModelStreamErrorException' ? 'server_error' : error.name;
  return toReportedError({ error: { type, message: error.message } }, call);
}
