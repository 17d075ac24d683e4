import type { ExactJson, ExactJsonObject } from '../../base/exact-json.ts';
import type { InferredSignature } from '../contract/sandbox.ts';
import { ANY, anyOf, keyword, type Member, ofType, toObjectSchema } from './object-schema.ts';
import { closingIndex, readTokens, splitAt, type Token } from './tokens.ts';

/** Reads the parameters of the last `def evaluate` at the margin of a source. */
export function inferPythonSignature(source: string): InferredSignature {
  const tokens = readTokens(source, 'PYTHON');
  const start = tokens.findLastIndex(
    (token, index) =>
      token.text === 'def' &&
      token.kind === 'name' &&
      token.isAtMargin &&
      tokens[index + 1]?.text === 'evaluate' &&
      tokens[index + 2]?.text === '(',
  );
  if (start < 0) return problem('The source must define a function evaluate: def evaluate(output, reference): …');
  const end = closingIndex(tokens, start + 2);
  if (end < 0) return problem('The parameters of evaluate have no closing bracket');
  const members: Member[] = [];
  let takesOthers = false;
  for (const part of splitAt(tokens.slice(start + 3, end), COMMA)) {
    const [first, second] = part;
    if (first?.text === '/') return problem('The parameters of evaluate are passed by name, so / is not possible');
    if (first?.text === '**') takesOthers = true;
    if (first?.kind === 'sign') continue;
    if (first?.kind !== 'name') return problem('The parameters of evaluate cannot be read');
    const [declared = [], given] = splitAt(part.slice(1), EQUALS);
    const annotation = second?.text === ':' ? declared.slice(1) : [];
    const hasDefault = part.some(({ text, kind }) => kind === 'sign' && text === '=');
    const value = hasDefault ? literalOf((second?.text === '=' ? declared : given) ?? []) : undefined;
    const schema = toSchema(annotation, 0);
    if (value !== undefined) schema.default = value;
    members.push({ name: first.text, schema, isRequired: !hasDefault });
  }
  return { ok: true, inputSchema: toObjectSchema(members, takesOthers) };
}

const problem = (text: string): InferredSignature => ({ ok: false, problem: text });

const COMMA = new Set([',']);
const EQUALS = new Set(['=']);
const BAR = new Set(['|']);

const TYPES: Readonly<Record<string, string>> = {
  str: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  None: 'null',
  dict: 'object',
  Dict: 'object',
  Mapping: 'object',
  list: 'array',
  List: 'array',
  tuple: 'array',
  Tuple: 'array',
  Sequence: 'array',
};
const DEPTH_MAX = 16;

function toSchema(annotation: readonly Token[], depth: number): ExactJsonObject {
  if (depth > DEPTH_MAX) return ANY();
  const options = splitAt(annotation, BAR);
  if (options.length > 1) return anyOf(options.map((option) => toSchema(option, depth + 1)));
  // A module before the name, such as `typing.`, has no meaning here.
  let at = 0;
  while (annotation[at + 1]?.text === '.') at += 2;
  const name = annotation[at];
  if (!name) return ANY();
  const hasArguments = annotation[at + 1]?.text === '[';
  const parts = hasArguments ? splitAt(annotation.slice(at + 2, -1), COMMA) : [];
  const schemas = () => parts.map((part) => toSchema(part, depth + 1));
  if (name.text === 'Optional') return anyOf([...schemas(), ofType('null')]);
  if (name.text === 'Union') return anyOf(schemas());
  if (name.text === 'Literal') {
    const values = parts.map(literalOf);
    return values.includes(undefined) ? ANY() : keyword('enum', values as ExactJson[]);
  }
  const type = Object.hasOwn(TYPES, name.text) ? TYPES[name.text] : undefined;
  if (!type || name.kind !== 'name') return ANY();
  const schema = ofType(type);
  const [items] = parts;
  if (type === 'array' && items && parts.length === 1) schema.items = toSchema(items, depth + 1);
  return schema;
}

/** The value of a literal, or undefined for other expressions. */
function literalOf(tokens: readonly Token[]): ExactJson | undefined {
  const isNegative = tokens[0]?.text === '-' && tokens.length === 2;
  const token = isNegative ? tokens[1] : tokens[0];
  if (!token || tokens.length !== (isNegative ? 2 : 1)) return undefined;
  if (token.kind === 'text') return token.text;
  if (token.kind === 'number') {
    const value = Number(token.text.replaceAll('_', ''));
    return Number.isFinite(value) ? (isNegative ? -value : value) : undefined;
  }
  return token.text === 'None' ? null : token.text === 'True' ? true : token.text === 'False' ? false : undefined;
}
