import { type Rendering, rejectTemplate } from './rendering.ts';
import { valueAt } from './value-at.ts';

/** `{name}` and `{a.b}` are variables, `{{` and `}}` braces; a conversion or a format (`{x!r}`, `{x:>9}`) is rejected. */
export function renderFString(text: string, rendering: Rendering): string {
  return text.replace(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g, (sign, name: string | undefined) => {
    if (sign === '{{' || sign === '}}') return rendering.count(sign.charAt(0));
    if (name === undefined) return rejectTemplate(`Single '${sign}' encountered in format string`);
    if (!NAME.test(name)) return rejectTemplate(`Invalid template variable: {${name.slice(0, 100)}}`);
    const value = valueAt(rendering.variables, name.split('.'));
    if (value !== undefined) return rendering.print(value);
    rendering.miss(name);
    return '';
  });
}

const NAME = /^[^\s.!:[\]]+(?:\.[^\s.!:[\]]+)*$/;
