import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InferredSignature } from '../../src/sandbox/contract/sandbox.ts';
import { inferPythonSignature } from '../../src/sandbox/signature/python-signature.ts';
import { inferTypeScriptSignature } from '../../src/sandbox/signature/typescript-signature.ts';

const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** The schema as JSON, because it has no prototypes; or the problem. */
const result = (signature: InferredSignature): unknown =>
  signature.ok ? JSON.parse(JSON.stringify(signature.inputSchema)) : signature.problem;

test('the parameters of a Python function are its inputs, with types and defaults', () => {
  const source = `
'''def evaluate(wrong): pass'''
# def evaluate(wrong)
class A:
    def evaluate(self): pass
def other(x): pass
def evaluate(
    output: str, *, reference: "dict | None" = None, count: int = 3,  # a comment, with (brackets
    rate: float = -0.5, strict: bool = True, tags: list[str] = ["a", "b"], mode: Literal["a", 'b'] = "a",
    any: Any, either: Optional[typing.Dict[str, int]], plain
) -> dict[str, float]:
    return {}
`;
  assert.deepEqual(
    result(inferPythonSignature(source)),
    closed(
      {
        output: { type: 'string' },
        reference: { default: null },
        count: { type: 'integer', default: 3 },
        rate: { type: 'number', default: -0.5 },
        strict: { type: 'boolean', default: true },
        tags: { type: 'array', items: { type: 'string' } },
        mode: { enum: ['a', 'b'], default: 'a' },
        any: {},
        either: { anyOf: [{ type: 'object' }, { type: 'null' }] },
        plain: {},
      },
      ['output', 'any', 'either', 'plain'],
    ),
  );
  assert.deepEqual(
    result(inferPythonSignature('async def evaluate(*args, a: str | int, **rest): pass')),
    'The source must define a function evaluate: def evaluate(output, reference): …',
  );
  assert.deepEqual(result(inferPythonSignature('def evaluate(*args, a: str | int, **rest): pass')), {
    type: 'object',
    properties: { a: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    required: ['a'],
  });
  assert.deepEqual(result(inferPythonSignature('def evaluate(): pass')), closed({}));
});

test('the members of the object of a TypeScript function are its inputs', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    [
      `// function evaluate(wrong) {}
       const text = \`function evaluate(\${"x"}\`; const pattern = /function evaluate\\(/;
       interface Input { readonly output: string; reference?: { answer: string } | null; tags: string[]; 'odd name': Array<number>; kind: 'a' | 'b' }
       export async function evaluate({ output, reference, tags = [], kind: renamed }: Input): Promise<Result> { return {} }`,
      closed(
        {
          output: { type: 'string' },
          reference: { anyOf: [closed({ answer: { type: 'string' } }, ['answer']), { type: 'null' }] },
          tags: { type: 'array', items: { type: 'string' } },
          'odd name': { type: 'array', items: { type: 'number' } },
          kind: { enum: ['a', 'b'] },
        },
        ['output', 'odd name', 'kind'],
      ),
    ],
    ['function evaluate({ output, count = 2 }) {}', closed({ output: {}, count: {} }, ['output'])],
    ['function evaluate({ output, ...rest }) {}', { type: 'object', properties: { output: {} }, required: ['output'] }],
    [
      'const evaluate = async (input: { a: boolean, b?: unknown }) => 1',
      closed({ a: { type: 'boolean' }, b: {} }, ['a']),
    ],
    [
      'export const evaluate: Evaluator<{ x: 1 }> = ({ a }: { a: number }) => 1;',
      closed({ a: { type: 'number' } }, ['a']),
    ],
    ['type In = { a: string }\nlet evaluate = function (input: In) { }', closed({ a: { type: 'string' } }, ['a'])],
    ['function evaluate<T extends { a: string }>(input: T) {}', { type: 'object', properties: {} }],
    ['function evaluate(input) {}', { type: 'object', properties: {} }],
    ['function evaluate(input: Record<string, string>) {}', { type: 'object', properties: {} }],
    ['function evaluate() {}', closed({})],
    ['type Node = { next: Node; other: Node }\nfunction evaluate(input: Node) {}', undefined],
    ['function evaluate(a, b) {}', 'evaluate must have one parameter, an object with all inputs'],
    ['function evaluate(a: string) {}', 'The parameter of evaluate must be an object'],
    ['function evaluate(...all) {}', 'evaluate must have one parameter, not a list of them'],
    ['function evaluate({ a', 'The parameters of evaluate have no closing bracket'],
    [
      'const x = { evaluate() {} }; evaluate(1)',
      'The source must define a function evaluate: function evaluate({ output }: { output: string }) { … }',
    ],
    [
      'function evaluate({ __proto__, constructor }: { __proto__: string; constructor: number }) {}',
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["__proto__","constructor"],"additionalProperties":false}',
      ),
    ],
  ];
  for (const [source, expected] of cases) {
    const found = result(inferTypeScriptSignature(source));
    if (expected !== undefined) assert.deepEqual(found, expected, source);
  }
});

test('hostile sources are read in bounded time', () => {
  const hostile = [
    '(',
    '[',
    '{',
    '"',
    "'",
    '`',
    '/',
    '/[',
    '=/[',
    '\\"',
    '"\\',
    '/*',
    '<',
    'type A = A | A;',
    'interface A { a: A; b: A }\n',
    '"""',
    "r'''",
    'def evaluate(',
    'function evaluate(',
    'function evaluate({a:',
    '`${',
    ' \\\n',
  ];
  for (const part of hostile) {
    for (const around of [
      (x: string) => x,
      (x: string) => `function evaluate(a: ${x}`,
      (x: string) => `def evaluate(a: ${x}`,
    ]) {
      const source = around(part.repeat(15_000 / part.length)).slice(0, 15_000);
      assert.equal(typeof inferPythonSignature(source).ok, 'boolean');
      assert.equal(typeof inferTypeScriptSignature(source).ok, 'boolean');
    }
  }
  const alias = `${Array.from({ length: 2_000 }, (_, index) => `type A${index} = { a: A${index + 1}; b: A${index + 1} };`).join('\n')} function evaluate(input: A0) {}`;
  assert.equal(inferTypeScriptSignature(alias).ok, true);
});
