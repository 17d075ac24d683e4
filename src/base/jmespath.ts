import { Script } from 'node:vm';
import { JMESPathTypeError, search } from '@aws-lambda-powertools/jmespath';

/** Limits of one evaluation. */
export interface EvaluationLimits {
  /** The evaluation is stopped after this time, also in the middle of a function. */
  readonly evaluationMsMax: number;
  /** Texts that an evaluation returns. More is an error, because a list with a missing item is a wrong one. */
  readonly textCountMax: number;
  /** Characters of a text. A longer one is left out. */
  readonly textLengthMax: number;
}

/** Characters of an expression, which bound the depth of its tree too. */
const EXPRESSION_LENGTH_MAX = 1_000;
/** Time to evaluate an expression on no data. */
const CHECK_MS_MAX = 1_000;

type Data = Readonly<Record<string, unknown>>;

/** False when the text is not a JMESPath expression, or calls a function that does not exist. */
export function isJmesPath(expression: string): boolean {
  if (expression.length > EXPRESSION_LENGTH_MAX) return false;
  try {
    // The package does not export its parser, so an evaluation on no data finds errors.
    evaluate(expression, {}, CHECK_MS_MAX);
    return true;
  } catch (error) {
    // An absent field has the wrong type for most functions.
    return error instanceof JMESPathTypeError;
  }
}

/**
 * Evaluates an expression to a text or a list of texts. Numbers become texts; blank texts and other values are left out,
 * and so are lists in the list.
 *
 * @throws {Error} when the evaluation fails, takes too long or returns too many texts
 */
export function searchTexts(expression: string, data: Data, limits: EvaluationLimits): string[] {
  const value = evaluate(expression, data, limits.evaluationMsMax);
  const values = Array.isArray(value) ? value : [value];
  if (values.length > limits.textCountMax) throw new Error(`The expression returns ${values.length} values`);
  return values
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map((item) => String(item).trim())
    .filter((text) => text !== '' && text.length <= limits.textLengthMax);
}

/** Calls the function of its context. Only `vm` can stop synchronous code of this thread. */
const RUN = new Script('run()');

/** The time limit holds for the functions that `run` calls, although they were made outside of the context. */
function evaluate(expression: string, data: Data, msMax: number): unknown {
  let value: unknown;
  const run = () => {
    value = search(expression, data as never);
  };
  RUN.runInNewContext({ run }, { timeout: msMax });
  return value;
}
