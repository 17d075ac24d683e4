import { type ExactJson, toExactJsonText } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { MODEL_RESPONSE_DEPTH_MAX } from '../../model/limits/model-calls.ts';
import type { CallOptions, ChatResponse, TokenUsage } from '../contract/chat-model.ts';
import { ModelError } from '../contract/model-error.ts';
import { readEventData } from '../event-data.ts';
import { OutputCollector } from '../output-collector.ts';
import { toOutputValue } from '../output-value.ts';
import { asList, asObject, asText, asTokenCount, definedFields, type Received, sumOfTokens } from '../read-values.ts';
import { cutOff, unreadable } from '../response-error.ts';

const LIMITS = { depthMax: MODEL_RESPONSE_DEPTH_MAX };

/** Reads a whole response. */
export function readContent(text: string, onPiece: CallOptions['onPiece']): ChatResponse {
  const reader = new ContentReader(onPiece);
  reader.read(asObject(parseExactJson(text, LIMITS)));
  return reader.end({ text, isJson: true });
}

/** Reads the events of a response. Each is a response with the next parts. */
export async function readContentEvents(
  response: Response,
  onPiece: CallOptions['onPiece'],
  toError: (event: Received) => Error,
): Promise<ChatResponse> {
  const reader = new ContentReader(onPiece);
  await readEventData(response, (data) => {
    // Only the arguments of a call have values that must stay exact.
    const event = asObject(data.includes('"functionCall"') ? parseExactJson(data, LIMITS) : JSON.parse(data));
    if (event.error !== undefined) throw toError(event);
    reader.read(event);
  });
  return reader.end();
}

class ContentReader {
  readonly #output: OutputCollector;
  #usage: Received | undefined;
  #finishReason: string | null = null;
  #blockReason = '';
  #hasCandidate = false;

  constructor(onPiece: CallOptions['onPiece']) {
    this.#output = new OutputCollector(onPiece);
  }

  read(response: Received): void {
    const [first] = asList(response.candidates);
    if (first !== undefined) this.#hasCandidate = true;
    const candidate = asObject(first);
    for (const part of asList(asObject(candidate.content).parts).map(asObject)) this.#readPart(part);
    this.#finishReason = asText(candidate.finishReason) || this.#finishReason;
    this.#blockReason = asText(asObject(response.promptFeedback).blockReason) || this.#blockReason;
    if (response.usageMetadata) this.#usage = asObject(response.usageMetadata);
  }

  /** @throws {ModelError} for a blocked prompt, which has no candidate, and for a response that was cut */
  end(output?: ChatResponse['output']): ChatResponse {
    if (!this.#hasCandidate) {
      if (this.#blockReason === '') throw unreadable('it has no candidates');
      throw new ModelError('rejected', `The vendor blocked the prompt: ${this.#blockReason.slice(0, 100)}.`);
    }
    // The last event of a stream has the reason for its end.
    if (output === undefined && this.#finishReason === null) throw cutOff();
    const { text, reasoning, toolCalls } = this.#output;
    return {
      text,
      reasoning,
      toolCalls,
      finishReason: this.#finishReason,
      usage: toUsage(asObject(this.#usage)),
      output: output ?? toOutputValue(text, toolCalls),
    };
  }

  #readPart(part: Received): void {
    if (part.functionCall !== undefined) {
      const { id, name, args } = asObject(part.functionCall);
      // The vendor gives most calls no id. They get one, by which results are matched.
      this.#output.addToolCall(asText(id), asText(name), toExactJsonText((args ?? {}) as ExactJson));
    } else if (part.thought === true) {
      this.#output.addReasoning(asText(part.text));
    } else {
      this.#output.addText(asText(part.text));
    }
  }
}

/** The vendor counts thoughts apart from the candidates. Both are paid as output. */
function toUsage(usage: Received): TokenUsage {
  const thoughts = asTokenCount(usage.thoughtsTokenCount);
  return definedFields({
    prompt: sumOfTokens(asTokenCount(usage.promptTokenCount), asTokenCount(usage.toolUsePromptTokenCount)),
    completion: sumOfTokens(asTokenCount(usage.candidatesTokenCount), thoughts),
    total: asTokenCount(usage.totalTokenCount),
    promptCacheRead: asTokenCount(usage.cachedContentTokenCount),
    promptAudio: audioOf(usage.promptTokensDetails),
    completionReasoning: thoughts,
    completionAudio: audioOf(usage.candidatesTokensDetails),
  });
}

function audioOf(details: unknown): number | undefined {
  const audio = asList(details)
    .map(asObject)
    .find(({ modality }) => modality === 'AUDIO');
  return asTokenCount(audio?.tokenCount);
}
