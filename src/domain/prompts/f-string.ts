import { fStringTags, type TemplateTag } from '../../semconv/template-tags.ts';
import { type Rendering, rejectTemplate } from './rendering.ts';
import { valueAt } from './value-at.ts';

/** `{name}` and `{a.b}` are variables, `{{` and `}}` braces; a conversion or a format (`{x!r}`, `{x:>9}`) is rejected. */
export function renderFString(text: string, rendering: Rendering): string {
  let rendered = '';
  let from = 0;
  for (const tag of fStringTags(text)) {
    const { kind, name, start, end } = tag;
    rendered += text.slice(from, start);
    from = end;
    if (kind === 'escape') rendered += rendering.count(name);
    else if (kind === 'invalid') return rejectTag(text, tag);
    else {
      const value = valueAt(rendering.variables, name.split('.'));
      if (value === undefined) rendering.miss(name);
      else rendered += rendering.print(value);
    }
  }
  return rendered + text.slice(from);
}

/** @throws {SpandrelError} `PROMPT_INVALID` */
export function rejectTag(text: string, { name, start, end }: TemplateTag): never {
  return rejectTemplate(
    end - start === 1
      ? `Single '${text.charAt(start)}' encountered in format string`
      : `Invalid template variable: {${name.slice(0, 100)}}`,
  );
}
