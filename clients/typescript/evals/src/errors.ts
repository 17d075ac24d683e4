/** Base of the errors of this package. The message says what was expected, what was received, and what to do. */
export class EvaluationError extends Error {
  override readonly name: string = 'EvaluationError';
}

/** A wrong argument or definition: the same call fails again. */
export class ArgumentError extends EvaluationError {
  override readonly name = 'ArgumentError';
}

/** A row does not fit an evaluator: a field is missing or has the wrong form. It is not retried. */
export class InputError extends EvaluationError {
  override readonly name = 'InputError';
}

/** A template that cannot be read. The message names the line. */
export class TemplateError extends EvaluationError {
  override readonly name = 'TemplateError';
}

/** A model answered, also after one repair, with something that cannot be used. It is not retried. */
export class AnswerError extends EvaluationError {
  override readonly name: string = 'AnswerError';
}

/** The answer has a label that is not among the choices. Counted apart from other errors. */
export class LabelError extends AnswerError {
  override readonly name = 'LabelError';
}

/** The budget of a run is used up. */
export class BudgetError extends EvaluationError {
  override readonly name = 'BudgetError';
}

/** A call of a model failed. */
export class ModelError extends EvaluationError {
  override readonly name = 'ModelError';
  /** Status of HTTP; undefined when there was no response. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  constructor(message: string, options: { status?: number; headers?: Headers; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.headers = options.headers;
  }
}

/** The message of anything that was thrown, on one line. */
export function toErrorText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ').slice(0, ERROR_TEXT_CHARS_MAX);
}

/** Answers of vendors may be pages of HTML. */
const ERROR_TEXT_CHARS_MAX = 1_000;

/** The kind of a value for messages. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return value === undefined ? 'nothing' : `a ${typeof value}`;
}
