import { TEMPERATURE, testChatModel } from '../../contracts/chat-model.contract.ts';

testChatModel({
  protocol: 'google-generate-content',
  target: (url, { key, modelName }) => ({
    ...{ modelName, modelProvider: 'GOOGLE', providerWord: 'google' },
    connection: { type: 'google_genai', baseUrl: url, apiKey: key, headers: {} },
  }),
  parameters: { type: 'google', google: { temperature: TEMPERATURE } },
  finish: { stop: 'STOP', length: 'MAX_TOKENS', toolCalls: 'STOP' },
  // The vendor counts thoughts apart, and no writes of its cache.
  usage: { prompt: 100, completion: 25, total: 125, promptCacheRead: 30, completionReasoning: 5 },
  llmSystem: 'vertexai',
  llmProvider: 'google',
});
