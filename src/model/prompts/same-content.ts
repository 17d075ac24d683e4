import { toCanonicalJson } from '../../base/canonical-json.ts';
import type { ExactJson } from '../../base/exact-json.ts';
import type { PromptContent, PromptVersion } from './prompt.ts';
import type { PromptTemplate } from './prompt-template.ts';

/** Whether a version sends a model the same content. Its description does not count. */
export function hasSameContent(version: PromptVersion, content: PromptContent): boolean {
  const {
    rowId: _rowId,
    promptId: _promptId,
    metadata: _metadata,
    createdAt: _createdAt,
    userId: _userId,
    ...stored
  } = version;
  return textOf(stored) === textOf(content);
}

const textOf = ({ description: _, template, ...content }: PromptContent): string =>
  toCanonicalJson({ ...content, template: inParts(template) } as unknown as ExactJson);

/** A text as the whole message is equal to a single text part. */
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
