import { asList, asObject, asText, type Received } from '../../read-values.ts';

/** Text of a message or delta. Some vendors send a list of parts. A text in which the model declines is its response too. */
export function contentText({ content, refusal }: Received): string {
  const parts = Array.isArray(content) ? asList(content).map((part) => asText(asObject(part).text)) : [asText(content)];
  return parts.join('') || asText(refusal);
}

/** Reasoning under the two names that compatible vendors use. */
export const reasoningText = ({ reasoning_content: content, reasoning }: Received): string =>
  asText(content) || asText(reasoning);

/** Arguments of a function, or the input of a custom tool. A few servers send an object instead of its text. */
export function argumentsText({ arguments: args, input }: Received): string {
  const value = args ?? input;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : asText(value);
}
