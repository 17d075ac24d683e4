import { type ProtocolCase, TEMPERATURE, testChatModel } from '../../contracts/chat-model.contract.ts';
import { MODEL_TARGETS } from '../model-targets.ts';

const shared: Pick<ProtocolCase, 'parameters' | 'llmSystem' | 'llmProvider'> = {
  parameters: { type: 'openai', openai: { temperature: TEMPERATURE } },
  llmSystem: 'openai',
  llmProvider: 'openai',
};

testChatModel({
  ...shared,
  protocol: 'openai-chat',
  target: MODEL_TARGETS['openai-chat'],
  finish: { stop: 'stop', length: 'length', toolCalls: 'tool_calls' },
  usage: {
    ...{ prompt: 100, completion: 20, total: 120, promptCacheRead: 30, promptAudio: 0 },
    ...{ completionReasoning: 5, completionAudio: 0 },
  },
});

testChatModel({
  ...shared,
  protocol: 'openai-responses',
  target: MODEL_TARGETS['openai-responses'],
  finish: { stop: 'completed', length: 'max_output_tokens', toolCalls: 'completed' },
  usage: { prompt: 100, completion: 20, total: 120, promptCacheRead: 30, completionReasoning: 5 },
});
