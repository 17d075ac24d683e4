import assert from 'node:assert/strict';
import { TEXT_ATTRIBUTES, type TextAttributeField } from '../../columns/text-attributes.ts';

export interface StoredAttributes extends Readonly<Record<TextAttributeField, string | null>> {
  readonly attributes: string;
  readonly longAttributes: string | null;
  readonly metadata: string | null;
  readonly spanKind: string;
  readonly input: string | null;
  readonly output: string | null;
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

/** Not by `JSON.stringify` of nested objects, which would take most of the time of a page. */
function promotedText(stored: StoredAttributes): string {
  const { attributes, spanKind } = stored;
  // A value that was sent in another form, such as a numeric session ID or a lower-case kind, is among the attributes.
  const hasKind = spanKind !== 'UNKNOWN' && !hasLeaf(attributes, 'openinference', 'span', 'kind');
  let text = hasKind ? `"openinference":{"span":{"kind":${JSON.stringify(spanKind)}}}` : '';
  for (const { name, members } of OBJECTS) {
    let inner = '';
    for (const { opening, field } of members) {
      const value = stored[field];
      if (value === null || (field === 'sessionId' && isSessionAmongAttributes(stored))) continue;
      inner += `${inner === '' ? '' : ','}${opening}${JSON.stringify(value)}`;
    }
    if (inner !== '') text += `${text === '' ? '' : ','}"${name}":{${inner}}`;
  }
  return `{${text}}`;
}

/** Objects of the attributes with columns, and the field of each member. */
const OBJECTS = groupByObject([
  { key: 'input.value', field: 'input' },
  { key: 'output.value', field: 'output' },
  ...TEXT_ATTRIBUTES,
]);

interface ObjectMember {
  /** JSON text before the value, such as `"model_name":`. */
  readonly opening: string;
  readonly field: TextAttributeField | 'input' | 'output';
}

function groupByObject(attributes: readonly { readonly key: string; readonly field: ObjectMember['field'] }[]) {
  const objects = new Map<string, ObjectMember[]>();
  for (const { key, field } of attributes) {
    const [name = '', member, ...deeper] = key.split('.');
    assert(
      member !== undefined && deeper.length === 0,
      'an attribute with a column is a member of an object of the span',
    );
    objects.set(name, [...(objects.get(name) ?? []), { opening: `"${member}":`, field }]);
  }
  return [...objects].map(([name, members]) => ({ name, members }));
}

const isSessionAmongAttributes = ({ attributes, longAttributes }: StoredAttributes): boolean =>
  [attributes, longAttributes].some((json) => json !== null && hasLeaf(json, 'session', 'id'));

function hasLeaf(json: string, ...keys: string[]): boolean {
  if (!json.includes(`"${keys[0]}"`)) return false;
  let node: unknown = JSON.parse(json);
  for (const key of keys) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return false;
    node = (node as Record<string, unknown>)[key];
  }
  return true;
}
