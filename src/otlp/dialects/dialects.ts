import { ADK } from './adk.ts';
import { AI_SDK } from './ai-sdk.ts';
import { CLAUDE_CODE } from './claude-code.ts';
import type { Dialect } from './dialect.ts';
import { GEN_AI } from './gen-ai.ts';
import { LANGFUSE } from './langfuse.ts';
import { LANGSMITH } from './langsmith.ts';
import { LOGFIRE } from './logfire.ts';
import { MASTRA } from './mastra.ts';
import { MCP } from './mcp.ts';
import { MLFLOW } from './mlflow.ts';
import { OPENLLMETRY } from './openllmetry.ts';

/** Dialects by precedence. Libraries that extend `gen_ai` attributes know more about a span than these attributes state. */
export const DIALECTS: readonly Dialect[] = [
  LANGFUSE,
  LANGSMITH,
  MLFLOW,
  OPENLLMETRY,
  AI_SDK,
  MASTRA,
  LOGFIRE,
  ADK,
  CLAUDE_CODE,
  MCP,
  GEN_AI,
];

const PREFIXES = DIALECTS.flatMap(({ prefixes }) => prefixes);

/** Whether an attribute belongs to a dialect. */
export const isDialectKey = (key: string): boolean => PREFIXES.some((prefix) => key.startsWith(prefix));
