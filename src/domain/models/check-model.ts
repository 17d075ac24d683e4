import { SpandrelError } from '../../model/errors.ts';
import { MODEL_NAME_CHARS_MAX, MODEL_PRICE_COUNT_MAX, TOKEN_TYPE_CHARS_MAX } from '../../model/limits/models.ts';
import {
  COMPLETION_TOKEN_TYPE,
  type NewGenerativeModel,
  PROMPT_TOKEN_TYPE,
  type TokenPrice,
} from '../../model/models/generative-model.ts';
import { compileNamePattern } from '../../model/models/name-pattern.ts';

/**
 * Returns the received model without surrounding blanks of texts.
 *
 * @throws {SpandrelError} `MODEL_INVALID`
 */
export function checkModel(model: NewGenerativeModel): NewGenerativeModel {
  const name = model.name.trim();
  const provider = model.provider.trim();
  if (name === '') reject('Name cannot be empty');
  for (const [what, text] of Object.entries({ name, provider })) {
    if (text.length > MODEL_NAME_CHARS_MAX) reject(`${what} is longer than ${MODEL_NAME_CHARS_MAX} characters`);
    if (text.includes('\0')) reject(`${what} contains the character U+0000`);
  }
  if (model.namePattern.includes('\0')) reject('Invalid regex: it contains the character U+0000');
  compileNamePattern(model.namePattern);
  const { prices } = model;
  if (!prices.some((price) => price.isPrompt && price.tokenType === PROMPT_TOKEN_TYPE))
    reject('input cost is required');
  if (!prices.some((price) => !price.isPrompt && price.tokenType === COMPLETION_TOKEN_TYPE)) {
    reject('output cost is required');
  }
  if (prices.length > MODEL_PRICE_COUNT_MAX) reject(`A model has at most ${MODEL_PRICE_COUNT_MAX} costs`);
  const types = new Set<string>();
  for (const price of prices) checkPrice(price, types);
  return { ...model, name, provider };
}

function checkPrice({ tokenType, isPrompt, perToken }: TokenPrice, types: Set<string>): void {
  if (tokenType === '' || tokenType.length > TOKEN_TYPE_CHARS_MAX || tokenType.includes('\0')) {
    reject(`A token type has 1 to ${TOKEN_TYPE_CHARS_MAX} characters`);
  }
  if (!Number.isFinite(perToken) || perToken < 0) reject(`${tokenType} cost must be a number of at least 0`);
  const key = `${isPrompt} ${tokenType}`;
  if (types.has(key)) reject(`${tokenType} cost is given twice`);
  types.add(key);
}

const reject = (message: string): never => {
  throw new SpandrelError('MODEL_INVALID', message);
};
