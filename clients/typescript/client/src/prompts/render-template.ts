import { ArgumentError } from '../http/errors.ts';
import type { PromptMessage, TemplateFormat } from './prompt-version.ts';

/** Values of variables by name. */
export type Variables = Readonly<Record<string, unknown>>;

export interface RenderOptions {
  readonly format: TemplateFormat;
  readonly variables: Variables;
  /** `keep` leaves variables without a value as they are. */
  readonly missingVariables: 'error' | 'keep';
}

/** A variable of a template has no value. */
export class MissingVariableError extends ArgumentError {
  readonly variables: readonly string[];
  constructor(variables: readonly string[]) {
    super(
      `The template needs values for ${variables.join(', ')}. Pass them in variables, or missingVariables: 'keep'.`,
    );
    this.variables = variables;
  }
}

const MUSTACHE = /\\?\{\{\s*(\w+)\s*\}\}/g;
const F_STRING = /\{\{|\}\}|\{(\w+)\}/g;

/** Messages with values in place of variables. Values are inserted as they are, and never read as a template. */
export function renderMessages(messages: readonly PromptMessage[], options: RenderOptions): PromptMessage[] {
  const missing = new Set<string>();
  const render = (text: string) => renderText(text, options, missing);
  const rendered = messages.map(({ role, content }) => ({
    role,
    content:
      typeof content === 'string'
        ? render(content)
        : content.map((part) => (part.type === 'text' ? { ...part, text: render(part.text) } : part)),
  }));
  if (missing.size > 0 && options.missingVariables === 'error') throw new MissingVariableError([...missing]);
  return rendered;
}

function renderText(text: string, { format, variables }: RenderOptions, missing: Set<string>): string {
  const resolveVariable = (name: string, written: string): string => {
    if (Object.hasOwn(variables, name)) return toText(variables[name]);
    missing.add(name);
    return written;
  };
  if (format === 'MUSTACHE') {
    return text.replace(MUSTACHE, (written, name: string) =>
      written.startsWith('\\') ? written : resolveVariable(name, written),
    );
  }
  if (format === 'F_STRING') {
    return text.replace(F_STRING, (written, name: string | undefined) =>
      name === undefined ? written.charAt(0) : resolveVariable(name, written),
    );
  }
  return text;
}

const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
