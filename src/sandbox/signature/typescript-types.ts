import { type ExactJsonObject, isJsonObject } from '../../base/exact-json.ts';
import { ANY, anyOf, keyword, type Member, ofType, toObjectSchema } from './object-schema.ts';
import { closingIndex, splitAt, type Token } from './tokens.ts';

const BAR = new Set(['|']);
const AMPERSAND = new Set(['&']);
const MEMBER_ENDS = new Set([';', ',']);
const DEPTH_MAX = 16;
/** Types that are read in all. A source could otherwise name a type in itself several times on each level. */
const TYPE_COUNT_MAX = 500;

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  undefined: 'null',
  object: 'object',
  Record: 'object',
  Map: 'object',
};

/** Reads types of a source as JSON schemas. A type that JSON schema does not express is any value. */
export class TypeReader {
  readonly #source: readonly Token[];
  #readCount = 0;

  constructor(source: readonly Token[]) {
    this.#source = source;
  }

  read(tokens: readonly Token[], depth = 0): ExactJsonObject {
    if (depth > DEPTH_MAX || ++this.#readCount > TYPE_COUNT_MAX) return ANY();
    const options = splitAt(tokens, BAR, true);
    if (options.length > 1) return anyOf(options.map((option) => this.read(option, depth + 1)));
    const type = options[0] ?? [];
    if (splitAt(type, AMPERSAND, true).length > 1) return ANY();
    const last = type.at(-1);
    if (last?.text === ']' && type.at(-2)?.text === '[') {
      const schema = ofType('array');
      schema.items = this.read(type.slice(0, -2), depth + 1);
      return schema;
    }
    const [first] = type;
    if (!first) return ANY();
    if (first.text === 'readonly' && first.kind === 'name') return this.read(type.slice(1), depth + 1);
    if (first.text === '(' && closingIndex(type, 0) === type.length - 1) return this.read(type.slice(1, -1), depth + 1);
    if (first.text === '{' && closingIndex(type, 0) === type.length - 1)
      return this.#readObject(type.slice(1, -1), depth);
    return this.#readName(first, type, depth);
  }

  #readName(first: Token, type: readonly Token[], depth: number): ExactJsonObject {
    if (type.length === 1) {
      if (first.kind === 'text') return keyword('enum', [first.text]);
      if (first.kind === 'number') return keyword('enum', [Number(first.text)]);
      if (first.text === 'true' || first.text === 'false') return keyword('enum', [first.text === 'true']);
    }
    if (first.kind !== 'name') return ANY();
    if ((first.text === 'Array' || first.text === 'ReadonlyArray') && type[1]?.text === '<') {
      const schema = ofType('array');
      schema.items = this.read(type.slice(2, -1), depth + 1);
      return schema;
    }
    if (Object.hasOwn(TYPES, first.text)) return ofType(TYPES[first.text] ?? '');
    return type.length === 1 ? this.#readDeclared(first.text, depth) : ANY();
  }

  /** An interface or alias of the source. */
  #readDeclared(name: string, depth: number): ExactJsonObject {
    const source = this.#source;
    for (let index = 0; index < source.length; index++) {
      if (source[index + 1]?.text !== name || source[index]?.kind !== 'name') continue;
      const start = index + 3;
      const isInterface = source[index]?.text === 'interface' && source[index + 2]?.text === '{';
      if (isInterface) return this.read(source.slice(start - 1, closingIndex(source, start - 1) + 1), depth + 1);
      if (source[index]?.text === 'type' && source[index + 2]?.text === '=') {
        return this.read(source.slice(start, endOfAlias(source, start)), depth + 1);
      }
    }
    return ANY();
  }

  #readObject(tokens: readonly Token[], depth: number): ExactJsonObject {
    const members: Member[] = [];
    let takesOthers = false;
    for (const part of splitAt(tokens, MEMBER_ENDS, true)) {
      const declared = part[0]?.text === 'readonly' && part[1]?.text !== ':' ? part.slice(1) : part;
      const [name, sign] = declared;
      const isOptional = sign?.text === '?';
      const colon = isOptional ? 2 : 1;
      if (name?.text === '[') takesOthers = true;
      else if (name && declared[colon]?.text === ':') {
        const schema = this.read(declared.slice(colon + 1), depth + 1);
        members.push({ name: name.text, schema, isRequired: !isOptional });
      }
    }
    return toObjectSchema(members, takesOthers);
  }
}

/** An alias ends with a bracket, a semicolon, or before the next statement at the margin. */
function endOfAlias(source: readonly Token[], start: number): number {
  if (source[start]?.text === '{') return closingIndex(source, start) + 1;
  const end = source.findIndex(({ text, isAtMargin }, index) => index > start && (text === ';' || isAtMargin));
  return end < 0 ? source.length : end;
}

/** Members of an object schema. Undefined when any members are possible. */
export function membersOf(schema: ExactJsonObject): readonly Member[] | undefined {
  const { properties, required, additionalProperties } = schema;
  if (!isJsonObject(properties) || additionalProperties !== false) return undefined;
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, one]) => ({
    name,
    schema: isJsonObject(one) ? one : ANY(),
    isRequired: names.has(name),
  }));
}
