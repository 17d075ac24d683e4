import { newJsonObject } from '../../base/exact-json.ts';
import type { InferredSignature } from '../contract/sandbox.ts';
import { type Member, toObjectSchema } from './object-schema.ts';
import { closingIndex, readTokens, splitAt, type Token } from './tokens.ts';
import { membersOf, TypeReader } from './typescript-types.ts';

/**
 * Reads the parameter of `evaluate`: `function evaluate(…)`, or a constant with a function. It is one object, destructured
 * or typed or both. Interfaces and type aliases of the source are followed.
 */
export function inferTypeScriptSignature(source: string): InferredSignature {
  const tokens = readTokens(source, 'TYPESCRIPT');
  const start = parametersOf(tokens);
  if (start === undefined) {
    return problem(
      'The source must define a function evaluate: function evaluate({ output }: { output: string }) { … }',
    );
  }
  const end = closingIndex(tokens, start);
  if (end < 0) return problem('The parameters of evaluate have no closing bracket');
  const [parameter, ...others] = splitAt(tokens.slice(start + 1, end), COMMA, true);
  if (others.length > 0) return problem('evaluate must have one parameter, an object with all inputs');
  if (!parameter) return { ok: true, inputSchema: toObjectSchema([], false) };
  if (parameter[0]?.text === '...') return problem('evaluate must have one parameter, not a list of them');
  const types = new TypeReader(tokens);
  const patternEnd = parameter[0]?.text === '{' ? closingIndex(parameter, 0) : 0;
  const after = parameter.slice(patternEnd + 1);
  const isTyped = after[0]?.text === ':' || (after[0]?.text === '?' && after[1]?.text === ':');
  const [annotation = []] = isTyped ? splitAt(after.slice(after[0]?.text === '?' ? 2 : 1), EQUALS, true) : [];
  const typed = isTyped ? types.read(annotation) : undefined;
  const type = typed?.type;
  if (type !== undefined && type !== 'object') return problem('The parameter of evaluate must be an object');
  if (patternEnd === 0) {
    const members = typed && membersOf(typed);
    return { ok: true, inputSchema: toObjectSchema(members ?? [], !members) };
  }
  return { ok: true, inputSchema: toSchema(parameter.slice(1, patternEnd), typed && membersOf(typed)) };
}

const problem = (text: string): InferredSignature => ({ ok: false, problem: text });

const COMMA = new Set([',']);
const EQUALS = new Set(['=']);

/** Index of the bracket before the parameters of the last `evaluate` outside of all brackets. */
function parametersOf(tokens: readonly Token[]): number | undefined {
  let found: number | undefined;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind === 'sign' && (token.text === '{' || token.text === '(' || token.text === '[')) {
      const end = closingIndex(tokens, index);
      if (end < 0) break;
      index = end;
    } else if (token?.kind === 'name' && tokens[index + 1]?.text === 'evaluate') {
      const start = token.text === 'function' ? skipGenerics(tokens, index + 2) : undefined;
      found = start ?? (DECLARES.has(token.text) ? functionOf(tokens, index + 2) : undefined) ?? found;
    }
  }
  return found;
}

const DECLARES = new Set(['const', 'let', 'var']);

/** Index of the bracket of a function that is assigned, maybe after a type: `: Evaluator = async (`. */
function functionOf(tokens: readonly Token[], start: number): number | undefined {
  let index = start;
  while (index < tokens.length && tokens[index]?.text !== '=') {
    if (tokens[index]?.text === ';') return undefined;
    const end = /^[([{]$/.test(tokens[index]?.text ?? '') ? closingIndex(tokens, index) : index;
    if (end < 0) return undefined;
    index = end + 1;
  }
  index++;
  while (tokens[index]?.text === 'async' || tokens[index]?.text === 'function') index++;
  if (tokens[index]?.kind === 'name' && tokens[index + 1]?.text === '(') index++;
  return skipGenerics(tokens, index);
}

function skipGenerics(tokens: readonly Token[], start: number): number | undefined {
  let index = start;
  if (tokens[index]?.text === '<') {
    let depth = 0;
    do {
      const text = tokens[index++]?.text;
      if (text === '<') depth++;
      else if (text === '>') depth--;
    } while (depth > 0 && index < tokens.length);
  }
  return tokens[index]?.text === '(' ? index : undefined;
}

/** Schema of a destructured parameter: its names, with the types and options of its type. */
function toSchema(pattern: readonly Token[], typed: readonly Member[] | undefined) {
  let takesOthers = false;
  const members = new Map<string, Member>(typed?.map((member) => [member.name, member]));
  for (const part of splitAt(pattern, COMMA)) {
    const [first] = part;
    if (first?.text === '...') {
      takesOthers = true;
    } else if (first && (first.kind === 'name' || first.kind === 'text')) {
      const hasDefault = part.some(({ text, kind }) => kind === 'sign' && text === '=');
      const known = members.get(first.text);
      const schema = known?.schema ?? newJsonObject();
      const isRequired = !hasDefault && (known ? known.isRequired : true);
      members.set(first.text, { name: first.text, schema, isRequired });
    }
  }
  return toObjectSchema([...members.values()], takesOthers);
}
