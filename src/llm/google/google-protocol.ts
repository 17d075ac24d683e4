import { GoogleGenAI } from '@google/genai';
import { MODEL_CALL_MS_MAX } from '../../model/limits/model-calls.ts';
import { ModelError } from '../contract/model-error.ts';
import type { ConnectionOf, Protocol } from '../protocol.ts';
import { toReportedError } from '../response-error.ts';
import { toSentRequest } from '../sent-request.ts';
import type { VendorCall } from '../transport/vendor-transport.ts';
import { readContent, readContentEvents } from './read-response.ts';
import { toBody } from './to-body.ts';

type Connection = ConnectionOf<'google_genai'>;

const BASE_URL = 'https://generativelanguage.googleapis.com';

export const protocol: Protocol<Connection> = {
  async call({ modelName, connection }, request, { call, onPiece, onSend }) {
    // The name is a part of the path.
    if (!/^[\w./@-]+$/.test(modelName) || modelName.includes('..')) {
      throw new ModelError(
        'rejected',
        'The name of a Google model has letters, digits, dots, dashes and slashes only.',
      );
    }
    const body = toBody(modelName, request);
    const sent = toSentRequest({ body, url: undefined, contentKeys: ['contents', 'systemInstruction'] });
    onSend(sent);
    const response = await send(connection, call, sent.bodyText, (models) =>
      request.isStreamed
        ? models.generateContentStream({ model: modelName, contents: '' })
        : models.generateContent({ model: modelName, contents: '' }),
    );
    if (!request.isStreamed) return readContent(await response.text(), onPiece);
    return readContentEvents(response, onPiece, (event) => toReportedError(event, call));
  },

  /** Lists models. */
  async test({ connection }, call) {
    const response = await send(connection, call, undefined, (models) => models.list({ config: { pageSize: 1 } }));
    await response.text();
  },
};

/**
 * Sends the request of the package with the exact body, and returns the response to be read here: the package would convert its numbers to doubles.
 */
async function send(
  connection: Connection,
  call: VendorCall,
  bodyText: string | undefined,
  send: (models: GoogleGenAI['models']) => Promise<unknown>,
): Promise<Response> {
  const { baseUrl = BASE_URL, apiKey, headers } = connection;
  let received: Response | undefined;
  const client = new GoogleGenAI({
    apiKey,
    // Otherwise variables of the process would choose another service.
    vertexai: false,
    apiVersion: 'v1beta',
    httpOptions: {
      baseUrl: baseUrl.replace(/\/+$/, ''),
      headers: { ...headers },
      timeout: MODEL_CALL_MS_MAX,
      fetch: async (url: Parameters<typeof fetch>[0], init?: RequestInit) => {
        received = await call.fetch(url, { ...init, ...(bodyText !== undefined && { body: bodyText }) });
        return new Response('{}', { status: 200, headers: { 'content-type': 'application/json' } });
      },
    },
  });
  await send(client.models);
  if (received === undefined) throw new Error('The package sent no request');
  return received;
}
