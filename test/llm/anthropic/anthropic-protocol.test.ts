import { TEMPERATURE, testChatModel } from '../../contracts/chat-model.contract.ts';

testChatModel({
  protocol: 'anthropic-messages',
  target: (url, { key, modelName }) => ({
    ...{ modelName, modelProvider: 'ANTHROPIC', providerWord: 'anthropic' },
    connection: { type: 'anthropic', baseUrl: url, apiKey: key, headers: {} },
  }),
  parameters: { type: 'anthropic', anthropic: { max_tokens: 100, temperature: TEMPERATURE } },
  finish: { stop: 'end_turn', length: 'max_tokens', toolCalls: 'tool_use' },
  // The vendor counts the tokens of reasoning with the others.
  usage: { prompt: 100, completion: 20, promptCacheRead: 30, promptCacheWrite: 10 },
  llmSystem: 'anthropic',
  llmProvider: 'anthropic',
});
