import type { SpandrelClient } from '@spandrel/client';
import { z } from 'zod';
import type { Found } from './answers/fit.ts';
import { IDENTIFIER_CHARS_MAX } from './limits.ts';

/** What the calls of a connection have in common. */
export interface ToolContext {
  readonly client: SpandrelClient;
  /** Project of calls that name none. */
  readonly project: string | undefined;
  /** Fires when the client cancels or disconnects, and when the time of the call is over. */
  readonly signal: AbortSignal;
  /** Characters that the data of the answer may have. */
  readonly dataChars: number;
}

/** `read` changes nothing; `add` adds something, so a repeated call adds it twice or replaces it. */
export type Effect = 'read' | 'add';

/** A tool. Equal tools share one: the names after the first are aliases. */
export interface Tool {
  readonly names: readonly [string, ...string[]];
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: z.ZodRawShape;
  /** Shape of `data` in an answer. */
  readonly output: z.ZodType;
  readonly run: (input: never, context: ToolContext) => Promise<Found>;
}

/** A tool whose `run` gets input as `input` describes it. */
export const defineTool = <Shape extends z.ZodRawShape>(
  tool: Omit<Tool, 'input' | 'run'> & {
    readonly input: Shape;
    readonly run: (input: z.output<z.ZodObject<Shape>>, context: ToolContext) => Promise<Found>;
  },
): Tool => tool as unknown as Tool;

/** An error whose message goes to the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** An identifier or name. */
export const Identifier = z.string().min(1).max(IDENTIFIER_CHARS_MAX);
/** A time with its date. Checked here and not by a pattern, which would be the longest part of a list of tools. */
export const TimeParameter = z
  .string()
  .max(40)
  .refine((text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)), 'expected an ISO 8601 time')
  .optional();
/** A project that a call may leave out. */
export const ProjectParameter = Identifier.optional().describe('Name or ID.');
export const CursorParameter = Identifier.optional();
/** A number of rows. The schema says the rest, in a list of tools that must stay short. */
export const limitOf = (fallback: number, max: number) => z.number().int().min(1).max(max).default(fallback);

/** A row of an answer; fields beside those that are named depend on the server. */
export const Row = (shape: z.ZodRawShape = {}) => z.looseObject(shape);
/** A list with the cursor of its next page. */
export const rowsOf = (key: string, shape: z.ZodRawShape = {}) =>
  z.looseObject({ [key]: z.array(Row(shape)).optional(), nextCursor: z.string().nullable().optional() });

/**
 * The project of a call.
 *
 * @throws {ToolError} when neither the call nor the configuration names one
 */
export function requireProject(given: string | undefined, { project }: ToolContext): string {
  const found = given ?? project;
  if (found) return found;
  throw new ToolError('No project. Pass project_identifier; list-projects shows the names.');
}

/** The body of a response. */
export async function bodyOf<Body>(call: Promise<{ readonly data?: Body }>): Promise<NonNullable<Body>> {
  const { data } = await call;
  if (data === undefined || data === null) throw new ToolError('The server answered without a body.');
  return data as NonNullable<Body>;
}
