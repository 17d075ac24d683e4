import { toCanonicalJson } from '../base/canonical-json.ts';
import type { ExactJson } from '../base/exact-json.ts';
import type { PromptContent, PromptVersion } from './prompt.ts';
import type { PromptTemplate } from './prompt-template.ts';

/** Whether a version would send a model the same as this content. What people say about a version does not count. */
export function hasSameContent(version: PromptVersion, content: PromptContent): boolean {
  const { rowId: _rowId, promptId: _promptId, metadata: _metadata, createdAt: _createdAt, ...stored } = version;
  return textOf(stored) === textOf(content);
}

const textOf = ({ description: _, template, ...content }: PromptContent): string =>
  toCanonicalJson({ ...content, template: inParts(template) } as unknown as ExactJson);

/** A text for all of a message is the same as one part of text. */
const inParts = (template: PromptTemplate): object =>
  template.type === 'chat'
    ? {
        ...template,
        messages: template.messages.map(({ content, ...message }) => ({
          ...message,
          content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
        })),
      }
    : template;
