import { findTags, findVariables, type TemplateTag } from '../../semconv/template-tags.ts';
import { SpandrelError } from '../../model/errors.ts';
import { TEMPLATE_TAG_COUNT_MAX } from '../../model/limits/datasets.ts';
import type { PromptTemplate, TemplateFormat } from '../../model/prompts/prompt-template.ts';
import { rejectTag } from './f-string.ts';
import { parseMustache } from './mustache.ts';

/** A tag in a text of a template. A text template has one message with one part, and so has a message of one text. */
export interface PlacedTag extends TemplateTag {
  readonly messageIndex: number;
  readonly partIndex: number;
}

/** How the syntax of a template's format divides its texts. */
export interface TemplateDescription {
  /** At most `TEMPLATE_TAG_COUNT_MAX`. */
  readonly tags: readonly PlacedTag[];
  /** Names of variables and sections, each once, in their order. */
  readonly variables: readonly string[];
  /** Why the template cannot be rendered. Null when it can. */
  readonly problem: string | null;
}

export function describeTemplate(template: PromptTemplate, format: TemplateFormat): TemplateDescription {
  const texts = textsOfTemplate(template);
  const tags: PlacedTag[] = [];
  for (const { text, ...place } of texts) {
    for (const tag of findTags(text, format)) {
      if (tags.length < TEMPLATE_TAG_COUNT_MAX) tags.push({ ...tag, ...place });
    }
  }
  const variables = findVariables(
    texts.map(({ text }) => text),
    format,
  );
  return { tags, variables, problem: findProblem(texts, format) };
}

/** Texts of a template in which variables are replaced, with their positions. */
export function textsOfTemplate(template: PromptTemplate) {
  if (template.type === 'string') return [{ text: template.template, messageIndex: 0, partIndex: 0 }];
  return template.messages.flatMap(({ content }, messageIndex) => {
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    return parts.flatMap((part, partIndex) =>
      part.type === 'text' ? [{ text: part.text, messageIndex, partIndex }] : [],
    );
  });
}

function findProblem(texts: readonly { readonly text: string }[], format: TemplateFormat): string | null {
  try {
    for (const { text } of texts) {
      if (format === 'MUSTACHE') parseMustache(text);
      else for (const tag of findTags(text, format)) if (tag.kind === 'invalid') rejectTag(text, tag);
    }
    return null;
  } catch (error) {
    if (error instanceof SpandrelError) return error.message;
    throw error;
  }
}
