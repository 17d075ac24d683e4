import type { TokenUsage } from '../../contract/chat-model.ts';
import { asObject, asTokenCount, definedFields } from '../../read-values.ts';

/** Token counts of chat completions. Cached tokens have other names at DeepSeek and Moonshot. */
export function readChatUsage(value: unknown): TokenUsage {
  const usage = asObject(value);
  const prompt = asObject(usage.prompt_tokens_details);
  const completion = asObject(usage.completion_tokens_details);
  return definedFields({
    prompt: asTokenCount(usage.prompt_tokens),
    completion: asTokenCount(usage.completion_tokens),
    total: asTokenCount(usage.total_tokens),
    promptCacheRead: asTokenCount(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens),
    promptCacheWrite: asTokenCount(prompt.cache_write_tokens),
    promptAudio: asTokenCount(prompt.audio_tokens),
    completionReasoning: asTokenCount(completion.reasoning_tokens),
    completionAudio: asTokenCount(completion.audio_tokens),
  });
}
