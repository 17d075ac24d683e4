import { type ExactJsonObject, isJsonObject, newJsonObject } from '../../../base/exact-json.ts';
import { findTags, type TemplateTag } from '../../../semconv/template-tags.ts';
import { TEMPLATE_DEPTH_MAX, TEMPLATE_TAG_COUNT_MAX } from '../../../model/limits/datasets.ts';
import type { ChatTemplate, PromptMessage, TemplateFormat } from '../../../model/prompts/prompt-template.ts';
import { valueAt } from '../../prompts/value-at.ts';

/**
 * Recovers the variables with which a template was rendered, as texts. Undefined when the messages cannot come from it, or
 * a variable is ambiguous: next to another one, or in a section.
 */
export function matchTemplate(
  template: ChatTemplate,
  format: TemplateFormat,
  messages: readonly PromptMessage[],
): ExactJsonObject | undefined {
  const variables = newJsonObject();
  // Messages may follow those of the template.
  if (messages.length < template.messages.length) return undefined;
  for (const [index, message] of template.messages.entries()) {
    const texts = textsOf(message);
    const rendered = textsOf(messages[index] as PromptMessage);
    const isJoined = texts.length !== rendered.length;
    const pairs = isJoined ? [[texts.join('\n'), rendered.join('\n')]] : texts.map((text, at) => [text, rendered[at]]);
    for (const [text = '', result = ''] of pairs) {
      if (!matchText(text, format, result, variables)) return undefined;
    }
  }
  return variables;
}

/**
 * The sent messages with a template in the place of the message that it rendered. The template alone when no message can come
 * from it, or when the text of another message would be read as a template.
 */
export function placeText(
  text: string,
  format: TemplateFormat,
  sent: readonly PromptMessage[],
): readonly PromptMessage[] {
  const index = sent.findLastIndex((message) => {
    const [rendered, ...more] = textsOf(message);
    return rendered !== undefined && more.length === 0 && matchText(text, format, rendered, newJsonObject());
  });
  const others = sent.filter((_, at) => at !== index);
  const message = sent[index];
  const hasTags = others.some((other) => textsOf(other).some((part) => findTags(part, format).length > 0));
  return message && !hasTags ? sent.with(index, { ...message, content: text }) : [{ role: 'user', content: text }];
}

const textsOf = ({ content }: PromptMessage): string[] =>
  typeof content === 'string' ? [content] : content.flatMap((part) => (part.type === 'text' ? part.text : []));

/** Literal text, or the name of a variable. */
type Segment = { readonly text: string } | { readonly name: string };

/** Adds the variables of a text. False when the text cannot be its result. */
function matchText(text: string, format: TemplateFormat, result: string, variables: ExactJsonObject): boolean {
  const segments = toSegments(text, format);
  if (segments === undefined) return false;
  let at = 0;
  for (const [index, segment] of segments.entries()) {
    const literal = 'text' in segment ? segment.text : knownText(variables, segment.name);
    if (literal !== undefined) {
      if (!result.startsWith(literal, at)) return false;
      at += literal.length;
      continue;
    }
    const next = segments[index + 1];
    const nextText = next && ('text' in next ? next.text : knownText(variables, next.name));
    if (next !== undefined && !nextText) return false;
    // The last literal ends the text, and the first place of any other is enough.
    const isLast = index + 2 >= segments.length;
    const end = !nextText ? result.length : isLast ? result.length - nextText.length : result.indexOf(nextText, at);
    if (end < at || !('name' in segment)) return false;
    setAt(variables, segment.name.split('.'), result.slice(at, end));
    at = end;
  }
  return at === result.length;
}

/** Undefined when the text has a section, or is no template. */
function toSegments(text: string, format: TemplateFormat): Segment[] | undefined {
  const segments: Segment[] = [];
  let from = 0;
  const literal = (part: string) => {
    const last = segments.at(-1);
    if (part === '') return;
    if (last && 'text' in last) segments[segments.length - 1] = { text: last.text + part };
    else segments.push({ text: part });
  };
  for (const tag of findTags(text, format)) {
    literal(text.slice(from, tag.start));
    from = tag.end;
    if (IGNORED.has(tag.kind)) continue;
    if (tag.kind === 'escape') literal(tag.name);
    else if (tag.kind === 'variable' && isName(tag.name)) segments.push({ name: tag.name });
    else return undefined;
    if (segments.length > TEMPLATE_TAG_COUNT_MAX) return undefined;
  }
  literal(text.slice(from));
  return segments;
}

/** A recorded template is hostile: each dot would nest another object. */
const isName = (name: string): boolean =>
  name !== '.' && name.split('.', TEMPLATE_DEPTH_MAX + 1).length <= TEMPLATE_DEPTH_MAX;

const IGNORED: ReadonlySet<TemplateTag['kind']> = new Set(['comment']);

function knownText(variables: ExactJsonObject, name: string): string | undefined {
  const value = valueAt(variables, name.split('.'));
  return typeof value === 'string' ? value : undefined;
}

function setAt(variables: ExactJsonObject, path: readonly string[], text: string): void {
  let at = variables;
  for (const key of path.slice(0, -1)) {
    const inner = Object.hasOwn(at, key) ? at[key] : undefined;
    const object = isJsonObject(inner) ? inner : newJsonObject();
    at[key] = object;
    at = object;
  }
  const last = path.at(-1);
  if (last !== undefined) at[last] = text;
}
