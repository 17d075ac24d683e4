import { type ExactJsonObject, newJsonObject } from '../../../../base/exact-json.ts';
import { findTags } from '../../../../semconv/template-tags.ts';
import type { PromptContent } from '../../../../model/prompts/prompt.ts';
import { textsOfTemplate } from '../../../prompts/describe-template.ts';

/**
 * JSON schema of the inputs of a prompt: its variables. One that is used only as a plain variable is a text; others, such as
 * sections and `{{a.b}}`, may be any value. Variables in a section may be keys of its items and are not required.
 */
export function judgeInputSchema({
  template,
  templateFormat,
}: Pick<PromptContent, 'template' | 'templateFormat'>): ExactJsonObject {
  const required = new Set<string>();
  const texts = new Set<string>();
  const others = new Set<string>();
  for (const { text } of textsOfTemplate(template)) {
    let depth = 0;
    for (const { kind, name } of findTags(text, templateFormat)) {
      if (kind === 'end') depth -= 1;
      if (!isVariable(kind) || name === '.') continue;
      const [input = name] = name.split('.');
      (kind === 'variable' && input === name ? texts : others).add(input);
      if (depth === 0 && kind !== 'inverted') required.add(input);
      if (kind !== 'variable') depth += 1;
    }
  }
  const properties = newJsonObject();
  for (const input of texts) properties[input] = { type: 'string' };
  for (const input of others) properties[input] = {};
  return { type: 'object', properties, required: [...required] };
}

const isVariable = (kind: string): boolean => kind === 'variable' || kind === 'section' || kind === 'inverted';
