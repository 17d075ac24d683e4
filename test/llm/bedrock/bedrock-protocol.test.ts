import { TEMPERATURE, testChatModel } from '../../contracts/chat-model.contract.ts';

testChatModel({
  protocol: 'bedrock-converse',
  target: (url, { key, modelName }) => ({
    ...{ modelName, modelProvider: 'AWS', providerWord: 'aws' },
    connection: {
      ...{ type: 'aws_bedrock', region: 'us-east-1', endpointUrl: url, headers: {} },
      credential: { type: 'keys', accessKeyId: key, secretAccessKey: 'a-secret-0123456789', sessionToken: undefined },
    },
  }),
  parameters: { type: 'aws', aws: { temperature: TEMPERATURE } },
  finish: { stop: 'end_turn', length: 'max_tokens', toolCalls: 'tool_use' },
  // The vendor counts the tokens of reasoning with the others.
  usage: { prompt: 100, completion: 20, total: 120, promptCacheRead: 30, promptCacheWrite: 10 },
  llmSystem: 'aws',
  llmProvider: 'aws',
});
