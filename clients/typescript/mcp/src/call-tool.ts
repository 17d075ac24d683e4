import { HttpError, limitTime, SpandrelError } from '@spandrel/client';
import { fit, valueAt } from './answers/fit.ts';
import { type ToolResult, toErrorResult, toResult } from './answers/to-result.ts';
import type { CallQueue } from './call-queue.ts';
import { ANSWER_CHARS, CALL_MS_MAX, FRAME_CHARS } from './limits.ts';
import { type Tool, type ToolContext, ToolError } from './tool.ts';
import { fitWindow } from './tools/spans.ts';

/** A part of an answer that an earlier call shortened. */
export interface Part {
  readonly path: string;
  readonly offset: number;
}

/** What every call takes beside the input of its tool. */
export interface CallInput {
  readonly max_characters?: number | undefined;
  readonly part?: Part | undefined;
}

export interface CallOptions extends Pick<ToolContext, 'client' | 'project'> {
  readonly queue: CallQueue;
  /** Fires when the client cancels or disconnects. */
  readonly signal: AbortSignal;
  /** Called with errors that are none of the caller. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Runs a tool within the limits of calls and of its answer. Never throws: every error is a result. */
export async function callTool(
  tool: Tool,
  { max_characters = ANSWER_CHARS, part, ...input }: CallInput & Record<string, unknown>,
  { client, project, queue, signal: cancelled, onError }: CallOptions,
): Promise<ToolResult> {
  const dataChars = max_characters - FRAME_CHARS;
  return limitTime(CALL_MS_MAX, cancelled, async (signal) => {
    try {
      return await queue.run(signal, async () => {
        const found = await tool.run(input as never, { client, project, signal, dataChars });
        return toResult(part ? readPart(found.data, part, dataChars) : await fitWithin(found, max_characters));
      });
    } catch (error) {
      if (signal.aborted && !cancelled.aborted) {
        return toErrorResult(
          `The call took longer than ${CALL_MS_MAX / 1_000} s. Ask for fewer rows or a shorter time.`,
        );
      }
      return toErrorResult(messageOf(error, cancelled, onError));
    }
  });
}

/** The frame has a length of its own, so the data gets less room when the list of omissions is long. */
async function fitWithin(found: Parameters<typeof fit>[0], chars: number) {
  let room = chars - FRAME_CHARS;
  for (;;) {
    const fitted = await fit(found, room);
    const { content, structuredContent } = toResult(fitted);
    const size = Math.max(content[0]?.text.length ?? 0, JSON.stringify(structuredContent).length);
    if (size <= chars || room < FRAME_CHARS / 4) return fitted;
    room -= size - chars + 50;
  }
}

function readPart(data: unknown, { path, offset }: Part, chars: number) {
  const value = valueAt(data, path);
  if (value === undefined) throw new ToolError(`The answer has nothing at ${path}. Call without part to see it.`);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const window = fitWindow(text, offset, chars, chars - 400);
  const next = window.end < text.length ? window.end : null;
  const more = `${text.length - window.end} characters after these. Repeat the call with offset ${next} in part.`;
  return {
    data: {
      part: { path, offset: window.start, characters: text.length, nextOffset: next, text: window.text },
    },
    omitted: next === null ? [] : [more],
  };
}

function messageOf(error: unknown, cancelled: AbortSignal, onError: CallOptions['onError']): string {
  if (cancelled.aborted) {
    return cancelled.reason instanceof ToolError ? cancelled.reason.message : 'The call was cancelled.';
  }
  if (error instanceof ToolError) return error.message;
  // Its message says what to do about the key.
  if (error instanceof HttpError && error.status === 401) return error.message;
  if (error instanceof HttpError) return `The server answered ${error.status}: ${error.detail || error.statusText}`;
  if (error instanceof SpandrelError) return error.message;
  onError?.(error);
  return 'The call failed inside of the MCP server.';
}
