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

/** The attributes of a span as `Span.attributeParts`: the stored texts, and one text of the attributes with their own columns. */
export function toAttributeParts(stored: StoredAttributes): string[] {
  const { attributes, metadata, longAttributes } = stored;
  const parts = [attributes];
  if (metadata !== null) parts.push(`{"metadata":${metadata}}`);
  if (longAttributes !== null) parts.push(longAttributes);
  const promoted = promotedText(stored);
  if (promoted !== '{}') parts.push(promoted);
  return parts;
}

/** Written by hand, because `JSON.stringify` of nested objects would take most of the time of a page. */
function promotedText(stored: StoredAttributes): string {
  const { attributes, spanKind, sessionId, userId, modelName, provider } = stored;
  // A value that was sent in another form, such as a numeric session ID or a lower-case kind, is among the attributes.
  const hasSession = sessionId !== null && !hasLeaf(attributes, 'session', 'id');
  const hasKind = spanKind !== 'UNKNOWN' && !hasLeaf(attributes, 'openinference', 'span', 'kind');
  const members = [
    hasKind ? `"openinference":{"span":{"kind":${JSON.stringify(spanKind)}}}` : '',
    objectMember('input', 'value', stored.input, 'mime_type', stored.inputMimeType),
    objectMember('output', 'value', stored.output, 'mime_type', stored.outputMimeType),
    hasSession ? `"session":{"id":${JSON.stringify(sessionId)}}` : '',
    userId === null ? '' : `"user":{"id":${JSON.stringify(userId)}}`,
    objectMember('llm', 'model_name', modelName, 'provider', provider),
  ];
  return `{${members.filter((member) => member !== '').join(',')}}`;
}

/** A member that is an object of two texts; empty without both. */
function objectMember(
  name: string,
  firstName: string,
  first: string | null,
  secondName: string,
  second: string | null,
): string {
  if (first === null && second === null) return '';
  const firstMember = first === null ? '' : `"${firstName}":${JSON.stringify(first)}`;
  const secondMember = second === null ? '' : `"${secondName}":${JSON.stringify(second)}`;
  return `"${name}":{${firstMember}${first !== null && second !== null ? ',' : ''}${secondMember}}`;
}

function hasLeaf(json: string, ...keys: string[]): boolean {
  if (!json.includes(`"${keys[0]}"`)) return false;
  let node: unknown = JSON.parse(json);
  for (const key of keys) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return false;
    node = (node as Record<string, unknown>)[key];
  }
  return true;
}
