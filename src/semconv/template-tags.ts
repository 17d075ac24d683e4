/** Syntax of variables in a template, as prompts name it. */
export type TemplateSyntax = 'MUSTACHE' | 'F_STRING' | 'NONE';

/** Syntax in the text of a template: `{{name}}` or `{name}` and their relatives. Offsets are UTF-16 units of the text. */
export interface TemplateTag {
  readonly kind: 'variable' | 'section' | 'inverted' | 'end' | 'comment' | 'escape' | 'invalid';
  /** Variable or section. The character that an escape stands for. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The tags of a text in their order. Everything between them is text. */
export function findTags(text: string, format: TemplateSyntax): TemplateTag[] {
  if (format === 'NONE') return [];
  return [...(format === 'MUSTACHE' ? mustacheTags(text) : fStringTags(text))];
}

/** Names of the variables and sections of texts, each once, in their order. */
export function findVariables(texts: readonly string[], format: TemplateSyntax): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    for (const { kind, name } of findTags(text, format)) {
      if (VARIABLE_KINDS.has(kind) && name !== '.') names.add(name);
    }
  }
  return [...names];
}

const VARIABLE_KINDS: ReadonlySet<TemplateTag['kind']> = new Set(['variable', 'section', 'inverted']);

const MUSTACHE_TAG = /\{\{\{\s*([^{}]*?)\s*\}\}\}|\{\{\s*([#^/!&]?)\s*([^{}]*?)\s*\}\}/g;

/** A tag without a name is invalid. */
export function* mustacheTags(text: string): Generator<TemplateTag> {
  for (const match of text.matchAll(MUSTACHE_TAG)) {
    const [tag, tripleName, sign = '', plainName = ''] = match;
    const name = tripleName ?? plainName;
    const kind = sign === '!' ? 'comment' : name === '' ? 'invalid' : (KIND_OF_SIGN.get(sign) ?? 'variable');
    yield { kind, name, start: match.index, end: match.index + tag.length };
  }
}

const KIND_OF_SIGN: ReadonlyMap<string, TemplateTag['kind']> = new Map([
  ['#', 'section'],
  ['^', 'inverted'],
  ['/', 'end'],
]);

const F_STRING_TAG = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;
const F_STRING_NAME = /^[^\s.!:[\]]+(?:\.[^\s.!:[\]]+)*$/;

/** A single brace is invalid, and so is a conversion or a format (`{x!r}`, `{x:>9}`). Their name is the text inside. */
export function* fStringTags(text: string): Generator<TemplateTag> {
  for (const match of text.matchAll(F_STRING_TAG)) {
    const [tag, name] = match;
    const [start, end] = [match.index, match.index + tag.length];
    if (tag === '{{' || tag === '}}') yield { kind: 'escape', name: tag.charAt(0), start, end };
    else if (name === undefined) yield { kind: 'invalid', name: tag, start, end };
    else yield { kind: F_STRING_NAME.test(name) ? 'variable' : 'invalid', name, start, end };
  }
}
