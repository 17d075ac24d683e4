export interface StoredAttributes {
  readonly attributes: string;
  readonly longAttributes: string | null;
  readonly metadata: string | null;
  readonly spanKind: string;
  readonly input: string | null;
  readonly inputMimeType: string | null;
  readonly output: string | null;
  readonly outputMimeType: string | null;
  readonly sessionId: string | null;
  readonly userId: string | null;
  readonly modelName: string | null;
  readonly provider: string | null;
}

/** The attributes of a span as `Span.attributeParts`: texts as stored, and one more of what has columns of its own. */
export function toAttributeParts(stored: StoredAttributes): string[] {
  const { attributes, metadata, longAttributes } = stored;
  const parts = [attributes];
  if (metadata !== null) parts.push(`{"metadata":${metadata}}`);
  if (longAttributes !== null) parts.push(longAttributes);
  const promoted = promotedText(stored);
  if (promoted !== '{}') parts.push(promoted);
  return parts;
}

function promotedText(stored: StoredAttributes): string {
  const { attributes, spanKind, sessionId, userId, modelName, provider } = stored;
  // What was sent in another form is among the attributes: a session id that is a number, a kind in lower case.
  const hasSession = sessionId !== null && !hasLeaf(attributes, 'session', 'id');
  const hasKind = spanKind !== 'UNKNOWN' && !hasLeaf(attributes, 'openinference', 'span', 'kind');
  return JSON.stringify({
    openinference: hasKind ? { span: { kind: spanKind } } : undefined,
    input: body(stored.input, stored.inputMimeType),
    output: body(stored.output, stored.outputMimeType),
    session: hasSession ? { id: sessionId } : undefined,
    user: userId === null ? undefined : { id: userId },
    llm:
      modelName === null && provider === null
        ? undefined
        : { model_name: modelName ?? undefined, provider: provider ?? undefined },
  });
}

const body = (value: string | null, mimeType: string | null) =>
  value === null && mimeType === null ? undefined : { value: value ?? undefined, mime_type: mimeType ?? undefined };

function hasLeaf(json: string, ...keys: string[]): boolean {
  if (!json.includes(`"${keys[0]}"`)) return false;
  let node: unknown = JSON.parse(json);
  for (const key of keys) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return false;
    node = (node as Record<string, unknown>)[key];
  }
  return true;
}
