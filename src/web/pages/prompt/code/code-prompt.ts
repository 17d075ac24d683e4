import {
  messagesOf,
  partsOf,
  toVersionContent,
  type VersionContent,
} from '../../../components/prompt/version-content.ts';
import type { TemplateTag } from '../version/template-parts.ts';
import { type TemplatePart, TemplateValue } from './code-value.ts';

/** What code about a version needs to know. */
export interface CodePrompt {
  readonly promptName: string;
  readonly versionId: string;
  readonly content: VersionContent;
  /** Names of plain variables. */
  readonly variables: readonly string[];
  readonly hasSections: boolean;
  /** Text of a part of a message, with its variables. */
  readonly textAt: (messageIndex: number, partIndex: number) => TemplateValue;
}

/** A version as the server describes it. */
interface DescribedVersion {
  readonly id: string;
  readonly content: unknown;
  readonly templateDescription: { readonly tags: readonly TemplateTag[] };
}

export function toCodePrompt(promptName: string, version: DescribedVersion): CodePrompt {
  const content = toVersionContent(version.content);
  const { tags } = version.templateDescription;
  const hasSections = tags.some(({ kind }) => kind === 'SECTION' || kind === 'INVERTED');
  const named = tags.filter(({ kind, name }) => kind === 'VARIABLE' && name !== '.');
  return {
    promptName,
    versionId: version.id,
    content,
    // The names inside of sections belong to their items.
    variables: hasSections ? [] : [...new Set(named.map(({ name }) => name))],
    hasSections,
    textAt: (messageIndex, partIndex) => {
      const part = partsOf(messagesOf(content)[messageIndex]!)[partIndex]!;
      const text = part.type === 'text' ? part.text : '';
      const own = tags.filter((tag) => tag.messageIndex === messageIndex && tag.partIndex === partIndex);
      return new TemplateValue(hasSections ? [{ text }] : toParts(text, own));
    },
  };
}

function toParts(text: string, tags: readonly TemplateTag[]): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = '';
  let from = 0;
  for (const { kind, name, start, end } of tags) {
    literal += text.slice(from, start);
    from = end;
    if (kind === 'ESCAPE') literal += name;
    else if (kind === 'VARIABLE') {
      if (literal !== '') parts.push({ text: literal });
      parts.push({ variable: name });
      literal = '';
    } else if (kind !== 'COMMENT') literal += text.slice(start, end);
  }
  literal += text.slice(from);
  return literal === '' ? parts : [...parts, { text: literal }];
}
