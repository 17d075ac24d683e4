import { setMetadata, setPromptTemplate, setSession, setTags, setUser } from '@arizeai/openinference-core';
import { type Attributes, context } from '@opentelemetry/api';

/** What all spans inside of a call carry. */
export interface TraceContext {
  readonly sessionId?: string;
  readonly userId?: string;
  readonly tags?: readonly string[];
  readonly metadata?: Attributes;
  readonly promptTemplate?: { readonly template: string; readonly version?: string; readonly variables?: Attributes };
}

/** Calls a function whose spans, also those of libraries, carry a session, user, tags, metadata or prompt template. */
export function withTraceContext<Result>(values: TraceContext, run: () => Result): Result {
  let active = context.active();
  if (values.sessionId !== undefined) active = setSession(active, { sessionId: values.sessionId });
  if (values.userId !== undefined) active = setUser(active, { userId: values.userId });
  if (values.tags) active = setTags(active, [...values.tags]);
  if (values.metadata) active = setMetadata(active, values.metadata);
  if (values.promptTemplate) active = setPromptTemplate(active, values.promptTemplate);
  return context.with(active, run);
}
