import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { RENDER_STEP_COUNT_MAX, RENDERED_CHARS_MAX } from '../../model/limits/datasets.ts';

/** State of rendering a template: its variables, the missing ones, and the number of rendered characters. */
export class Rendering {
  readonly variables: ExactJsonObject;
  readonly #missing = new Set<string>();
  #steps = 0;
  #chars = 0;

  constructor(variables: ExactJsonObject) {
    this.variables = variables;
  }

  /** Records a missing variable. The others are still resolved, so that the error names all missing ones. */
  miss(name: string): void {
    this.#missing.add(name);
  }

  /** The text of a value, which is counted. */
  print(value: ExactJson): string {
    return this.count(typeof value === 'string' ? value : toExactJsonText(value));
  }

  /** @throws {SpandrelError} `PROMPT_INVALID` when the text is too long */
  count(text: string): string {
    this.#chars += text.length;
    if (++this.#steps > RENDER_STEP_COUNT_MAX || this.#chars > RENDERED_CHARS_MAX) {
      rejectTemplate('The template becomes too large with these variables');
    }
    return text;
  }

  /** @throws {SpandrelError} `PROMPT_INVALID` */
  rejectMissing(): void {
    if (this.#missing.size > 0) rejectTemplate(`Missing template variable(s): ${[...this.#missing].sort().join(', ')}`);
  }
}

export function rejectTemplate(message: string): never {
  throw new SpandrelError('PROMPT_INVALID', message);
}
