import { ArgumentError, describeType, InputError } from '../errors.ts';
import type { ChatMessage, ContentPart } from '../models/chat-message.ts';
import { ownValue } from '../own-value.ts';
import { type FStringNode, parseFString } from './parse-f-string.ts';
import { type MustacheNode, parseMustache } from './parse-mustache.ts';

/** A text, which is one user message, or messages with templates in their texts. */
export type PromptTemplate = string | readonly ChatMessage[];

/** `mustache` has `{{name}}` and sections, `f-string` has `{name}`. The format is never guessed: prompts contain braces. */
export type TemplateFormat = 'mustache' | 'f-string';

type TemplateNode = MustacheNode | FStringNode;

const PARSERS: Readonly<Record<TemplateFormat, (text: string) => readonly TemplateNode[]>> = {
  mustache: parseMustache,
  'f-string': parseFString,
};

/** Changes the text of a variable before it is inserted. */
export type ValueFormatter = (text: string, name: string) => string;

/** A template that has been checked and can be filled often. */
export interface ParsedTemplate {
  /** First names of variables, in the order of their first use; of f-strings the whole names. */
  readonly variables: readonly string[];
  /** Those that a row must have: the others are only used by sections. Those of f-strings are looked for when it is filled. */
  readonly required: readonly string[];
  render(values: Readonly<Record<string, unknown>>, format?: ValueFormatter): ChatMessage[];
}

const ROLES = new Map<unknown, ChatMessage['role']>([
  ...(['system', 'developer'] as const).map((role) => [role, 'system'] as const),
  ...(['user', 'human'] as const).map((role) => [role, 'user'] as const),
  ...(['assistant', 'ai', 'model'] as const).map((role) => [role, 'assistant'] as const),
]);

/** @throws {ArgumentError | TemplateError} when it is no template */
export function parseTemplate(template: PromptTemplate, format: TemplateFormat = 'mustache'): ParsedTemplate {
  if (!Object.hasOwn(PARSERS, format))
    throw new ArgumentError(`templateFormat is mustache or f-string, and not ${JSON.stringify(format)}.`);
  const messages = typeof template === 'string' ? [{ role: 'user' as const, content: template }] : template;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new ArgumentError(`A prompt template is a text or a list of messages, and not ${describeType(template)}.`);
  }
  const all: TemplateNode[] = [];
  const parse = (text: string) => {
    const nodes = PARSERS[format](text);
    for (const node of nodes) all.push(node);
    return nodes;
  };
  const parsed = messages.map(checkMessage).map(({ role, content }) => ({
    role: roleOf(role),
    content: typeof content === 'string' ? parse(content) : partsOf(content).map((part) => parsePart(part, parse)),
  }));
  const { variables, required } = findVariables(all);
  return {
    variables,
    required,
    render: (values, formatValue) =>
      parsed.map(({ role, content }) => ({
        role,
        content: content.some((each) => 'render' in each)
          ? (content as readonly ParsedPart[]).map((part) => part.render(values, formatValue))
          : renderNodes(content as readonly TemplateNode[], values, formatValue),
      })),
  };
}

function checkMessage(message: ChatMessage): ChatMessage {
  if (typeof message === 'object' && message !== null) return message;
  throw new ArgumentError(`A message is an object with role and content, and not ${describeType(message)}.`);
}

interface ParsedPart {
  readonly render: (values: Readonly<Record<string, unknown>>, format?: ValueFormatter) => ContentPart;
}

function parsePart(part: ContentPart, parse: (text: string) => readonly TemplateNode[]): ParsedPart {
  if (part.type === 'text') {
    const nodes = parse(part.text);
    return { render: (values, format) => ({ type: 'text', text: renderNodes(nodes, values, format) }) };
  }
  if (part.type === 'image' || part.type === 'file') {
    const nodes = parse(part.url);
    return { render: (values) => ({ ...part, url: renderNodes(nodes, values) }) };
  }
  throw new ArgumentError(
    `A part of a message is a text, an image or a file, and not ${JSON.stringify(ownValue(part, 'type'))}.`,
  );
}

function partsOf(content: unknown): readonly ContentPart[] {
  if (Array.isArray(content)) return content;
  throw new ArgumentError(`The content of a message is a text or a list of parts, and not ${describeType(content)}.`);
}

function roleOf(role: unknown): ChatMessage['role'] {
  const known = ROLES.get(role);
  if (known) return known;
  throw new ArgumentError(`The role of a message is system, user or assistant, and not ${JSON.stringify(role)}.`);
}

function findVariables(nodes: readonly TemplateNode[]): { variables: string[]; required: string[] } {
  const variables = new Set<string>();
  const required = new Set<string>();
  const visit = (list: readonly TemplateNode[], isInSection: boolean) => {
    for (const node of list) {
      if (node.type === 'field') variables.add(node.name);
      if (node.type === 'text' || node.type === 'field') continue;
      const [first] = node.path;
      // Inside of a section a name may be a field of its item.
      if (first !== undefined && !isInSection) {
        variables.add(first);
        if (node.type === 'variable') required.add(first);
      }
      if (node.type === 'section') visit(node.nodes, true);
    }
  };
  visit(nodes, false);
  return { variables: [...variables], required: [...required] };
}

function renderNodes(
  nodes: readonly TemplateNode[],
  values: Readonly<Record<string, unknown>>,
  format?: ValueFormatter,
): string {
  return renderIn(nodes, [values], format);
}

function renderIn(
  nodes: readonly TemplateNode[],
  scopes: readonly unknown[],
  format: ValueFormatter | undefined,
): string {
  let text = '';
  for (const node of nodes) {
    if (node.type === 'text') text += node.text;
    else if (node.type === 'variable' || node.type === 'field') {
      const shown = toText(node.type === 'field' ? getField(node, scopes[0]) : findValue(node.path, scopes));
      text += format ? format(shown, node.path[0] ?? '') : shown;
    } else {
      const value = findValue(node.path, scopes);
      const items = isEmpty(value) ? [] : Array.isArray(value) ? value : [value];
      if (node.isInverted) text += items.length === 0 ? renderIn(node.nodes, scopes, format) : '';
      else for (const item of items) text += renderIn(node.nodes, [item, ...scopes], format);
    }
  }
  return text;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** The value in the innermost scope that has the first name. Only own properties count. */
function findValue(path: readonly string[], scopes: readonly unknown[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return scopes[0];
  const scope = scopes.find((each) => typeof each === 'object' && each !== null && Object.hasOwn(each, first));
  return rest.reduce<unknown>(ownValue, ownValue(scope, first));
}

/** The value of a field: a key of the row as it stands, else by its parts. @throws {InputError} when the row has none */
function getField({ name, path }: Extract<FStringNode, { type: 'field' }>, row: unknown): unknown {
  const value = ownValue(row, name) ?? path.reduce<unknown>(ownValue, row);
  if (value !== undefined && value !== null && !Number.isNaN(value)) return value;
  const names = Object.keys(row as object).slice(0, NAME_COUNT_MAX);
  throw new InputError(`The template needs the field ${name}, and the row has ${names.join(', ') || 'no fields'}.`);
}

const NAME_COUNT_MAX = 20;

/** A value as text: objects and lists as JSON, nothing for a missing one. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A template filled with values: a text for a text, messages for messages. */
export function formatTemplate<Template extends PromptTemplate>(options: {
  readonly template: Template;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Default `mustache`. */
  readonly templateFormat?: TemplateFormat;
}): Template extends string ? string : ChatMessage[] {
  const messages = parseTemplate(options.template, options.templateFormat).render(options.variables);
  const result = typeof options.template === 'string' ? messages[0]?.content : messages;
  return result as Template extends string ? string : ChatMessage[];
}

/** First names of the variables of a template, in the order of their first use. */
export const getTemplateVariables = ({
  template,
  templateFormat,
}: {
  readonly template: PromptTemplate;
  readonly templateFormat?: TemplateFormat;
}): string[] => [...parseTemplate(template, templateFormat).variables];
