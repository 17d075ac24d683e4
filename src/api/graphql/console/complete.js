// What could stand at a place of a GraphQL document. `schema` is what introspection tells, its types in a Map by name.

/** Name of the type inside lists and non-nulls. */
const namedType = (type) => (type.ofType ? namedType(type.ofType) : type.name);

const showType = (type) =>
  type.kind === 'NON_NULL'
    ? `${showType(type.ofType)}!`
    : type.kind === 'LIST'
      ? `[${showType(type.ofType)}]`
      : type.name;

const TOKEN =
  /"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*(?:"|$)|#[^\n]*|\.\.\.|[$@]?[_A-Za-z]\w*|\$|@|[{}()[\]:=!|&]|[^\s,]/g;

/**
 * Walks the document up to a place and says what may stand there: `{name, type, description}` of fields, arguments,
 * input fields, enum values, types or directives.
 */
// biome-ignore lint/correctness/noUnusedVariables: console.js calls it, in the same script
function suggest(schema, text) {
  const word = /[_A-Za-z]\w*$/.exec(text)?.[0] ?? '';
  const before = text.slice(0, text.length - word.length);
  const tokens = before.match(TOKEN) ?? [];
  const last = tokens.at(-1) ?? '';
  if (last.startsWith('#') || last.startsWith('"') || last.startsWith('$')) return { word, list: [] };
  const place = walk(schema, tokens);
  return { word, list: place.filter(({ name }) => name.toLowerCase().startsWith(word.toLowerCase())) };
}

/** A field that the schema does not have. */
const UNKNOWN = { type: {}, args: [] };

/** What may come after these tokens. */
function walk(schema, tokens) {
  // Each scope is a selection of a type's fields, the arguments of a field, or an input object.
  const scopes = [];
  let root = schema.queryType?.name;
  let field;
  let argument;
  let condition;
  const fieldsOf = (name) => schema.types.get(name)?.fields ?? [];
  const inputs = (scope) =>
    scope.kind === 'arguments' ? scope.args : (schema.types.get(scope.type)?.inputFields ?? []);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const scope = scopes.at(-1);
    if (token === '{') {
      if (scope?.kind === 'arguments' || scope?.kind === 'object') {
        scopes.push({ kind: 'object', type: argument ? namedType(argument.type) : undefined });
        argument = undefined;
      } else if (scope)
        scopes.push({ kind: 'selection', type: condition ?? (field ? namedType(field.type) : scope.type) });
      else scopes.push({ kind: 'selection', type: condition ?? root });
      field = condition = undefined;
    } else if (token === '(') {
      scopes.push({ kind: scope ? 'arguments' : 'variables', args: field?.args ?? [] });
    } else if (token === '}' || token === ')') {
      scopes.pop();
      argument = undefined;
      if (token === '}') field = condition = undefined;
    } else if (/^[_A-Za-z]/.test(token)) {
      if (!scope && (token === 'query' || token === 'mutation' || token === 'subscription'))
        root = schema[`${token}Type`]?.name;
      else if (token === 'on') {
        condition = tokens[++at];
      } else if (scope?.kind === 'selection') {
        if (tokens[at - 1] === '...') continue;
        if (tokens[at + 1] === ':') at++;
        else field = fieldsOf(scope.type).find(({ name }) => name === token) ?? UNKNOWN;
      } else if (scope && tokens[at + 1] === ':') {
        argument = inputs(scope).find(({ name }) => name === token);
        at++;
      } else argument = undefined;
    } else if (/^["$\d]/.test(token)) argument = undefined;
  }
  return afterTokens(schema, scopes.at(-1), tokens, argument, { fieldsOf, inputs });
}

function afterTokens(schema, scope, tokens, argument, { fieldsOf, inputs }) {
  const last = tokens.at(-1);
  const named = (types) => types.map(({ name, description }) => ({ name, type: '', description }));
  const typesOf = (...kinds) =>
    named(
      [...schema.types.values()].filter(({ kind }) => kinds.includes(kind)).sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  if (last === 'on') return typesOf('OBJECT', 'INTERFACE', 'UNION');
  if (last === '@') return named(schema.directives);
  if (!scope) return named(['query', 'mutation', 'fragment'].map((name) => ({ name })));
  if (scope.kind === 'variables') return typesOf('SCALAR', 'ENUM', 'INPUT_OBJECT');
  const show = ({ name, type, description }) => ({ name, type: showType(type), description });
  if (scope.kind === 'selection') {
    return [...fieldsOf(scope.type).map(show), { name: '__typename', type: 'String!' }];
  }
  if (argument) {
    const type = schema.types.get(namedType(argument.type));
    if (type?.name === 'Boolean') return named([{ name: 'true' }, { name: 'false' }]);
    return named(type?.enumValues ?? []);
  }
  return inputs(scope).map(show);
}
