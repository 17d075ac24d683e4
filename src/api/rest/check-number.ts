import type { TSchema } from '@sinclair/typebox';
import { type ExactJson, ExactNumber, type ExactNumeric } from '../../base/exact-json.ts';
import { addIssue, type Check, type ValidationContext } from './validation.ts';

/** Reads a number or an integer within the bounds of the schema. A received number keeps its notation. */
export function numberCheck(schema: TSchema): Check {
  const read = schema.type === 'integer' ? readInteger : readFloat;
  const above: number = schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  const min: number = schema.minimum ?? Number.NEGATIVE_INFINITY;
  const max: number = schema.maximum ?? Number.POSITIVE_INFINITY;
  return (value, context) => {
    const number = read(value, context);
    if (number === undefined) return undefined;
    if (Number(number) <= above) {
      return addIssue(context, 'greater_than', `Input should be greater than ${above}`, value, { gt: above });
    }
    if (Number(number) < min) {
      const msg = `Input should be greater than or equal to ${min}`;
      return addIssue(context, 'greater_than_equal', msg, value, { ge: min });
    }
    if (Number(number) > max) {
      return addIssue(context, 'less_than_equal', `Input should be less than or equal to ${max}`, value, { le: max });
    }
    return number;
  };
}

export const isNumber = (value: ExactJson): value is ExactNumeric =>
  typeof value === 'number' || value instanceof ExactNumber;

function readInteger(value: ExactJson, context: ValidationContext): ExactNumeric | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') {
    const text = value.trim();
    if (INTEGER_TEXT.test(text)) return Number(text.replaceAll('_', ''));
    const msg = 'Input should be a valid integer, unable to parse string as an integer';
    return addIssue(context, 'int_parsing', msg, value);
  }
  if (!isNumber(value)) return addIssue(context, 'int_type', 'Input should be a valid integer', value);
  const number = Number(value);
  // An integer beyond 2^53 keeps its notation. `5.0` is 5.
  if (Number.isInteger(number)) return Number.isSafeInteger(number) ? number : value;
  const msg = 'Input should be a valid integer, got a number with a fractional part';
  return addIssue(context, 'int_from_float', msg, value);
}

function readFloat(value: ExactJson, context: ValidationContext): ExactNumeric | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') {
    if (DECIMAL_TEXT.test(value.trim()) && Number.isFinite(Number(value))) return Number(value);
    const msg = 'Input should be a valid number, unable to parse string as a number';
    return addIssue(context, 'float_parsing', msg, value);
  }
  if (!isNumber(value)) return addIssue(context, 'float_type', 'Input should be a valid number', value);
  if (Number.isFinite(Number(value))) return value;
  return addIssue(context, 'finite_number', 'Input should be a finite number', value);
}

const INTEGER_TEXT = /^[+-]?\d+(?:_\d+)*(?:\.0*)?$/;
const DECIMAL_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
