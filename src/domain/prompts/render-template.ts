import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { ChatTemplate, ContentPart, TemplateFormat } from '../../model/prompts/prompt-template.ts';
import { renderFString } from './f-string.ts';
import { renderMustache } from './mustache.ts';
import { Rendering } from './rendering.ts';

export interface RenderOptions {
  readonly format: TemplateFormat;
  readonly variables: ExactJsonObject;
}

/**
 * Replaces the variables in the texts of messages: text unchanged, other values as JSON. The text of a variable is
 * never read as a template.
 *
 * @throws {SpandrelError} `PROMPT_INVALID` when a variable is missing, or a text is not a template of the format
 */
export function renderChatTemplate(template: ChatTemplate, { format, variables }: RenderOptions): ChatTemplate {
  if (format === 'NONE') return template;
  const rendering = new Rendering(variables);
  const render = (text: string): string =>
    format === 'MUSTACHE' ? renderMustache(text, rendering) : renderFString(text, rendering);
  const renderPart = (part: ContentPart): ContentPart =>
    part.type === 'text' ? { ...part, text: render(part.text) } : part;
  const messages = template.messages.map((message) => ({
    ...message,
    content: typeof message.content === 'string' ? render(message.content) : message.content.map(renderPart),
  }));
  rendering.rejectMissing();
  return { type: 'chat', messages };
}
