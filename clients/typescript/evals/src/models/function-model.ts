import { createHash } from 'node:crypto';
import { ArgumentError, describeType } from '../errors.ts';
import type { Model, ModelRequest, ModelResponse } from './model.ts';

/** A function as a model: it gets the messages and returns a text, an object, or a whole response. */
export type ModelFunction = (request: ModelRequest) => unknown;

/** Functions have no address, so each is a model of its own even if names are equal. Its text is part of the keys of caches. */
let functionCount = 0;

export function fromFunction(answer: ModelFunction): Model {
  const name = answer.name || 'function';
  return {
    provider: 'function',
    name,
    address: `function:${++functionCount}:${createHash('sha256').update(String(answer)).digest('base64url').slice(0, 16)}`,
    // An object that the function returns is taken as it is, so that it may also answer in the form that was asked for.
    answerForms: ['words'],
    call: async (request) => toResponse(await answer(request), name),
  };
}

function toResponse(answer: unknown, name: string): ModelResponse {
  if (typeof answer === 'string') return { text: answer };
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new ArgumentError(
      `The function ${name} as a model returns a text or an object, and not ${describeType(answer)}.`,
    );
  }
  const { text } = answer as Record<string, unknown>;
  if (typeof text === 'string') return answer as ModelResponse;
  return { text: JSON.stringify(answer), value: answer };
}
