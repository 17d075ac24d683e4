import { createServer } from 'node:http';

/** A small stand-in for a model vendor: chat completions as a whole, as a stream, and as a tool call. */
export interface OpenAiEndpoint {
  readonly baseUrl: string;
  close(): Promise<void>;
}

interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
}

export const ANSWER = 'Paris, as ever.';
export const STREAMED = ['Pa', 'ris', ' streams', '.'];
export const USAGE = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
export const TOOL_CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
};

export function openOpenAiEndpoint(): Promise<OpenAiEndpoint> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const chat = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest;
      if (chat.stream) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of streamEvents(chat.model)) response.write(`data: ${event}\n\n`);
        response.end();
      } else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(completion(chat)));
      }
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address && typeof address === 'object' ? address.port : 0;
      resolve({
        baseUrl: `http://127.0.0.1:${port}/v1`,
        close: () =>
          new Promise((closed) => {
            server.closeAllConnections();
            server.close(() => closed());
          }),
      });
    });
  });
}

function completion({ model, tools }: ChatRequest) {
  const message = tools
    ? { role: 'assistant', content: null, tool_calls: [TOOL_CALL] }
    : { role: 'assistant', content: ANSWER };
  const finish = tools ? 'tool_calls' : 'stop';
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: USAGE,
  };
}

function streamEvents(model: string): string[] {
  const chunk = (delta: object, finish: string | null) =>
    JSON.stringify({
      id: 'chatcmpl-2',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  return [...STREAMED.map((content) => chunk({ role: 'assistant', content }, null)), chunk({}, 'stop'), '[DONE]'];
}
