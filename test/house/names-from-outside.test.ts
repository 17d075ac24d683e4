import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { isBinaryExpression, isElementAccessExpression } from 'typescript/unstable/ast/is';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';
import { ROOT } from './repository.ts';

/**
 * A plain object inherits `constructor`, `toString` and `__proto__`. Therefore a key that is not known at compile time
 * may only be used in these ways: with an `ExactJsonObject`, which has no prototype; after `Object.hasOwn` of the same
 * object and key, as in `ownValue`; or in the places below, where all keys are constants of the program.
 */
const NAMES_OF_OURS: Readonly<Record<string, readonly string[]>> = {
  'src/api/graphql/models/custom-provider-input.ts': ['fields[name]'],
  // Keys are names of measures.
  'src/api/graphql/execution/aggregate-loader.ts': ['row[keyOf(one)]'],
  'src/span-store/read/aggregates/known-aggregates.ts': ['results[name]'],
  'src/api/graphql/execution/input-defaults.ts': ['filled[field.name]'],
  // Reads inherited properties on purpose.
  'src/api/graphql/execution/inherited-names.ts': ['name.value in Object.prototype'],
  // The keys are those of the same object.
  'src/api/graphql/execution/json-response.ts': [
    'fields[key]',
    '(frame.value as Record<string, ExactJson | undefined>)[key]',
  ],
  'src/api/graphql/schema.ts': ['fields[name]', 'resolvers[name]', 'source[field.name]'],
  'src/api/graphql/execution/variable-lists.ts': ['(value as Record<string, unknown>)[field.name]'],
  // Keys are fields of the schema.
  'src/api/rest/check.ts': ['checked[name]'],
  'src/api/rest/define-route.ts': ['checked[name]'],
  'src/api/rest/openapi.ts': ['paths[path]', 'responses[code]'],
  // graphql-js keeps them in an object without a prototype.
  'src/api/graphql/node-fields.ts': ['fragments[selection.name.value]'],
  'src/api/graphql/execution/operation-cost.ts': ['type.getFields()[node.name.value]'],
  // The keys are those of the same object.
  'src/base/exact-json.ts': ['(value as Record<string | number, ExactJson | undefined>)[key]'],
  'src/config/read-settings.ts': ['env[variable]', `env[\`\${variable}_FILE\`]`],
  // The parser has looked up these keys.
  'src/filter/entities/evaluate-entity-filter.ts': [
    'scopeAt(condition.scope, context).fields[condition.field]',
    'scopeAt(over.scope, context).collections?.[over.collection]',
    'entity?.fields[field]',
  ],
  // node:http2 keeps headers in an object without a prototype.
  'src/server/grpc/grpc-server.ts': ['this.headers[name]'],
  'src/server/http/node-engine.ts': ['headers[name]'],
  'src/server/http/router.ts': ['params[name.slice(1)]'],
  'src/server/http/send-response.ts': ['headers[name]'],
  'src/server/http/uws-engine.ts': ['headers[name]'],
  // Keys are the fields of the declaration.
  'src/span-store/duckdb/define-table.ts': ['row[key]'],
  'src/span-store/duckdb/select-list.ts': ['rows[index]![key]'],
  'src/span-store/read/annotations/find-targets.ts': ['(JSON.parse(json) as Record<string, unknown>)[object]'],
  'src/span-store/write/append/well-formed-texts.ts': ['repaired[name]'],
  'src/web/components/annotations/ConfigRow.tsx': ['hotkeys[key]'],
  'src/web/components/chart/TimeChart.tsx': ['{ ArrowLeft: -1, ArrowRight: 1 }[event.key]'],
  'src/web/components/table/DataTable.tsx': ['steps[event.key]'],
  'src/web/components/table/TableHead.tsx': ['{ ArrowLeft: -1, ArrowRight: 1 }[event.key]'],
  'src/web/data/request.ts': [
    '(at as Record<string, unknown> | null)?.[key]',
    '(data as Fields | null)?.[field]',
    '(at as Fields)[key]',
  ],
  'src/web/pages/trace/span/SpanEvents.tsx': ['nested[name]'],
  'src/web/router/match-route.ts': ['params[segment.slice(1)]'],
};

interface Access {
  readonly node: Node;
  readonly object: Node;
  readonly key: Node;
}

describe('objects that are read by names from clients', () => {
  const folder = mkdtempSync(join(TEST_FOLDER, 'names-'));
  after(() => rmSync(folder, { recursive: true }));
  /** The server without its tests and benches, which would be half of the work. */
  const server = join(folder, 'tsconfig.json');
  writeFileSync(
    server,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')], incremental: false, noEmit: true },
      include: ['src', 'native-bindings'].map((name) => join(ROOT, name)),
      exclude: [join(ROOT, 'src/web')],
    }),
  );
  for (const [name, project] of [
    ['tsconfig.json', server],
    ['src/web/tsconfig.json', join(ROOT, 'src/web/tsconfig.json')],
  ] as const) {
    test(`have no prototype, or only own keys are read (${name})`, () => {
      const api = new API({ cwd: ROOT });
      try {
        const snapshot = api.updateSnapshot({ openProjects: [project] });
        const [{ program, checker } = assert.fail()] = snapshot.getProjects();
        const found = program.getSourceFileNames().flatMap((path) => {
          const name = path.slice(ROOT.length);
          const isSearched = path.startsWith(join(ROOT, 'src/')) && !name.includes('/generated/');
          return isSearched ? findIn(name, program.getSourceFile(path)!, checker) : [];
        });

        assert.deepEqual(found, []);
      } finally {
        api.close();
      }
    });
  }
});

function findIn(name: string, file: Node, checker: Checker): string[] {
  const accesses: Access[] = [];
  const visit = (node: Node): undefined => {
    if (isElementAccessExpression(node)) {
      accesses.push({ node, object: node.expression, key: node.argumentExpression });
    } else if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
      accesses.push({ node, object: node.right, key: node.left });
    }
    node.forEachChild(visit);
    return undefined;
  };
  visit(file);
  if (accesses.length === 0) return [];
  const keyTypes = checker.getTypeAtLocation(accesses.map(({ key }) => key));
  const objectTypes = checker.getTypeAtLocation(accesses.map(({ object }) => object));
  return accesses.flatMap(({ node, object, key }, index) => {
    if (!isAnyText(keyTypes[index])) return [];
    const text = node.getText();
    const type = objectTypes[index];
    if (type && checker.typeToString(type) === 'ExactJsonObject') return [];
    if (NAMES_OF_OURS[name]?.includes(text) || isGuarded(node, object, key)) return [];
    return [`${name}: ${text}`];
  });
}

const ANY_TEXT = TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.Any;

const isAnyText = (type: Type | undefined): boolean =>
  type === undefined || (type.isUnionType() ? type.getTypes() : [type]).some(({ flags }) => (flags & ANY_TEXT) !== 0);

/** Whether the same function calls `Object.hasOwn` with the object and the key before the access. */
function isGuarded(node: Node, object: Node, key: Node): boolean {
  const bare = object.getText().replace(/^\((.*) as .*\)$/s, '$1');
  const guard = `Object.hasOwn(${bare}, ${key.getText()})`;
  for (let around: Node | undefined = node.parent; around; around = around.parent) {
    if (FUNCTIONS.has(around.kind)) return around.getText().includes(guard);
  }
  return false;
}

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.MethodDeclaration,
]);
