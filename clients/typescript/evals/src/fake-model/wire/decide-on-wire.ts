import type { AnswerForm, JsonSchema } from '../../models/model.ts';
import type { FakeModel } from '../create-fake-model.ts';
import type { AnswerContext, VendorPrompt } from './protocol.ts';
import { type CompleteAnswer, completeAnswer } from './wire-answer.ts';

/** What a fake model answers to a request of a vendor's protocol. @throws {ModelError} with status 400 for a form that is not supported */
export function decideOnWire(model: FakeModel, prompt: VendorPrompt): [answer: CompleteAnswer, context: AnswerContext] {
  const [tool] = prompt.tools;
  const schema: JsonSchema | undefined = prompt.format ?? tool?.schema;
  const form: AnswerForm = prompt.format ? 'schema' : 'tool';
  const wantsLogprobs = prompt.body.logprobs === true || prompt.body.generationConfig?.responseLogprobs === true;
  const { text, value, usage, logprobs } = model.decide({
    messages: prompt.messages,
    parameters: {},
    ...(schema && { answer: { form, name: tool?.name ?? 'answer', schema } }),
    ...(wantsLogprobs && { wantsLogprobs }),
  });
  // A model that answers a forced tool with prose does so as a text.
  const isCall = schema !== undefined && form === 'tool' && typeof value === 'object' && value !== null;
  const answer = {
    ...(isCall ? { toolCalls: [{ name: tool?.name ?? '', arguments: value }] } : { text }),
    usage: { prompt: usage?.inputTokens ?? 0, completion: usage?.outputTokens ?? 0 },
    logprobs,
  };
  return [completeAnswer(answer, prompt.text, 1), { prompt, callNumber: 1, isAzure: false }];
}
