import type { ExactJson, ExactJsonObject } from '../../../../base/exact-json.ts';
import type { ChatTask } from '../../../../model/playground/chat-task.ts';
import type { ChatMessage, ChatResponse, ChatToolCall } from '../../../../llm/contract/chat-model.ts';
import { toChatSpan } from '../../../playground/chat-span.ts';
import {
  type ChatTaskPorts,
  callModel,
  prepareChatTask,
  recordedTask,
  renderMessages,
} from '../../../playground/run-chat-task.ts';
import { type KindResult, toMetadata } from '../evaluator-result.ts';
import { type EvaluationRun, runStep } from '../evaluator-step.ts';
import { mapEvaluatorInputs } from '../map-evaluator-inputs.ts';
import type { RunnableLlm } from '../runnable.ts';
import { judgeInputSchema } from './judge-inputs.ts';
import { keepOffered } from './offered-parameters.ts';
import { parseVerdicts } from './parse-verdicts.ts';

export type JudgePorts = Pick<ChatTaskPorts, 'providers' | 'secrets' | 'secretBox' | 'modelSettings' | 'chatModels'>;

/**
 * Lets a model label the target: it calls a function for each output.
 *
 * @throws {SpandrelError} when the prompt cannot be rendered or its model is not reachable as configured
 * @throws {ModelError} when the call fails
 */
export async function runJudge(ports: JudgePorts, run: EvaluationRun, runnable: RunnableLlm): Promise<KindResult> {
  const { inputMapping, outputConfigs, promptName } = runnable;
  const task = toTask(runnable);
  const inputs = await mapEvaluatorInputs(run, inputMapping, judgeInputSchema(task.prompt));
  const messages = await runStep(
    run,
    { name: `Prompt: ${promptName}`, kind: 'PROMPT', input: inputs },
    () => renderMessages(task, inputs).flatMap(textsOnly),
    (rendered) => ({ messages: rendered as unknown as ExactJson }),
  );
  const response = await callJudge(ports, run, { task, messages, inputs });
  const results = await runStep(
    run,
    { name: 'Parse Eval Result', kind: 'CHAIN', input: { tool_calls: response.toolCalls.map(toJson) } },
    () => parseVerdicts(response.toolCalls, outputConfigs),
    (parsed) => parsed.map((result): ExactJson => ({ ...result })),
    (parsed) => parsed.find(({ error }) => error !== null)?.error ?? undefined,
  );
  return { results, metadata: toMetadata(inputs) };
}

/** An unstreamed call with the parameters that the model offers. */
const toTask = ({ prompt, promptName, promptVersionRowId }: RunnableLlm): ChatTask => ({
  prompt: { ...prompt, responseFormat: null, invocationParameters: keepOffered(prompt) },
  ...{ promptName, promptVersionRowId, connection: null, headers: null, isStreamed: false },
});

function textsOnly({ role, parts }: ChatMessage): ChatMessage[] {
  const texts = parts.filter(({ type }) => type === 'text');
  return texts.length > 0 ? [{ role, parts: texts }] : [];
}

const toJson = ({ id, name, arguments: text }: ChatToolCall): ExactJsonObject => ({ id, name, arguments: text });

interface JudgeCall {
  readonly task: ChatTask;
  readonly messages: readonly ChatMessage[];
  readonly inputs: ExactJsonObject;
}

async function callJudge(ports: JudgePorts, run: EvaluationRun, call: JudgeCall): Promise<ChatResponse> {
  const { task, messages, inputs } = call;
  const { model } = await prepareChatTask(ports, task, run.credentials);
  run.usage.callCount += 1;
  const { signal, onLimits } = run;
  const ended = await callModel(model, task, messages, { signal, onLimits, onPiece: () => undefined });
  run.usage.promptTokens += ended.response?.usage.prompt ?? 0;
  run.usage.completionTokens += ended.response?.usage.completion ?? 0;
  if (run.trace) {
    const recorded = recordedTask(task, { variables: inputs });
    const span = toChatSpan({ ...ended, ...recorded, model, messages });
    run.trace.add({ ...span, traceId: run.trace.traceId, parentId: run.rootSpanId });
  }
  if (ended.error) throw ended.error;
  // A call without an error has a response.
  return ended.response as ChatResponse;
}
