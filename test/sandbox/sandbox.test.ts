import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ExactJson } from '../../src/base/exact-json.ts';
import { toExactJsonText } from '../../src/base/exact-json.ts';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import type { CodeLanguage } from '../../src/model/evaluators/sandbox-config.ts';
import { createSandbox } from '../../src/sandbox/code/thread-sandbox.ts';
import type { CodeOutcome } from '../../src/sandbox/contract/sandbox.ts';

const sandbox = createSandbox();
after(() => sandbox.close());

const NEVER = new AbortController().signal;

const runner =
  (language: CodeLanguage) =>
  (source: string, inputs: Record<string, ExactJson> = {}, timeoutMs = 5_000): Promise<CodeOutcome> =>
    sandbox.run({ language, source, inputs, timeoutMs, owner: 'user 1' }, NEVER);

const typescript = runner('TYPESCRIPT');
const python = runner('PYTHON');

/** JSON of the value, or the reason and message of a failure. */
async function resultOf(outcome: Promise<CodeOutcome>): Promise<string> {
  const done = await outcome;
  return done.ok ? toExactJsonText(done.value) : `${done.reason}: ${done.message}`;
}

/** An endless loop ends soon; memory takes a while to fill. */
const timeFor = (expected: RegExp): number => (expected.source.includes('timeout') ? 300 : 10_000);

describe('TypeScript', () => {
  test('runs evaluate with the inputs as one object, and returns its value as JSON', async () => {
    const source = `
      interface Input { output: string; score?: number }
      export async function evaluate({ output, score = 2 }: Input): Promise<object> {
        console.log('seen', { output }, [1]);
        return { label: output satisfies string, score: await Promise.resolve(score) };
      }`;
    const outcome = await typescript(source, { output: 'ä"\u2028😀' });
    assert.deepEqual(
      { ...outcome, durationMs: 0 },
      {
        ok: true,
        value: parseExactJson('{"label":"ä\\"\\u2028😀","score":2}', { depthMax: 9 }),
        printed: 'seen {"output":"ä\\"\u2028😀"} [1]\n',
        durationMs: 0,
      },
    );
    assert.equal(await resultOf(typescript('const evaluate = () => undefined')), 'null');
    assert.equal(await resultOf(typescript('export default (x: any) => x.n + 1', { n: 1 })), '2');
  });

  test('reports errors with their line', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['function evaluate() {\n  return missing.value;\n}', /^code: ReferenceError: .*missing.* \(line 2\)$/],
      ['function evaluate(} {', /^code: .*\(1:\d+\)/],
      ['let x = 1', /^code: The source does not define a function named evaluate$/],
      ['function evaluate() { return NaN }', /^code: TypeError: evaluate returned NaN, which is not a JSON number/],
      ['function evaluate() { return 1n }', /^code: TypeError/],
      ['function evaluate() { throw null }', /^code: The code threw null/],
      ['function evaluate() { throw { get message() { throw 1 }, toString() { throw 2 } } }', /^code: /],
      ['function evaluate() { return new Promise(() => {}) }', /never settled/],
      ['async function evaluate() { throw new Error("later") }', /^code: Error: later/],
      ['import fs from "fs"; function evaluate() { return fs }', /^code: ReferenceError: .*require/],
    ];
    for (const [source, expected] of cases) assert.match(await resultOf(typescript(source)), expected, source);
  });

  test('reaches nothing outside', async () => {
    const escapes = [
      'this.constructor.constructor("return process")()',
      '[].constructor.constructor("return globalThis.process.env")()',
      'console.log.constructor("return process")()',
      'Function("return require")()("fs")',
      'globalThis.process.exit()',
      'process.binding("fs")',
      'WebAssembly.compile',
      'fetch("http://127.0.0.1")',
      'new Worker("x")',
      'std.loadFile("/etc/passwd")',
      'os.open("/etc/passwd")',
      'performance.now()',
      'setTimeout(() => 1)',
      'require("node:fs")',
    ];
    for (const attempt of escapes) {
      const source = `function evaluate(input: object) { return String(${attempt}) }`;
      assert.match(await resultOf(typescript(source)), /^code: (ReferenceError|TypeError)/, attempt);
    }
    for (const attempt of ['import("fs")', '(async () => {}).constructor("return process")()']) {
      assert.match(
        await resultOf(typescript(`async function evaluate() { return await ${attempt} }`)),
        /^code: /,
        attempt,
      );
    }
    assert.equal(
      await resultOf(typescript('function evaluate(x) { return Object.keys(globalThis).join() }')),
      '"console,exports,evaluate"',
    );
  });

  test('returns text alone, whatever the value does', async () => {
    const source = (value: string) => `function evaluate() { return ${value} }`;
    assert.equal(
      await resultOf(typescript(source('JSON.parse(\'{"__proto__":{"polluted":1},"constructor":2}\')'))),
      '{"__proto__":{"polluted":1},"constructor":2}',
    );
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    assert.equal(
      await resultOf(
        typescript(
          source(
            'new Proxy({}, { ownKeys() { return ["a"] }, getOwnPropertyDescriptor() { return { value: 1, enumerable: true, configurable: true } }, get(_, key) { return key } })',
          ),
        ),
      ),
      '{"a":"a"}',
    );
    assert.match(
      await resultOf(typescript(source('new Proxy({}, { ownKeys() { throw new Error("trap") } })'))),
      /^code: Error: trap/,
    );
    assert.match(await resultOf(typescript(source('({ get label() { while (true); } })'), {}, 200)), /^timeout/);
    assert.match(await resultOf(typescript(source('({ toJSON() { return this } })'))), /^code: |^\{\}/);
    assert.match(
      await resultOf(typescript('function evaluate() { const a: any = []; a.push(a); return a }')),
      /^code: TypeError: circular/,
    );
    assert.match(
      await resultOf(
        typescript('function evaluate() { let a: any = 1; for (let i = 0; i < 200; i++) a = [a]; return a }'),
      ),
      /nests more deeply/,
    );
    const overridden =
      'JSON.stringify = () => "{\\"label\\":1}"; Array.prototype.push = null; String.prototype.slice = null; function evaluate() { return "own" }';
    assert.equal(await resultOf(typescript(overridden)), '"own"');
  });

  test('ends at its limits, and the next run works', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['while (true);', /^timeout/],
      ['while (true) { try { while (true); } catch {} finally { continue } }', /^timeout/],
      ['/(a+)+$/.test("a".repeat(50) + "!")', /^timeout/],
      ['const step = () => Promise.resolve().then(step); return step()', /^timeout/],
      [
        'const all = []; while (true) all.push(new Uint8Array(1 << 20))',
        /^memory: The code exceeded 64 MiB of memory$/,
      ],
      ['const all = []; while (true) all.push({})', /^memory/],
      ['const all = []; while (true) all.push("x".repeat(100) + all.length)', /^memory/],
      ['throw { toJSON() { while (true); } }', /^timeout/],
      ['const e = new Error(); Object.defineProperty(e, "message", { get() { while (true); } }); throw e', /^timeout/],
      [
        'const e = new Error(); Object.defineProperty(e, "message", { get() { for (const a = []; ;) a.push({}) } }); throw e',
        /^memory/,
      ],
      ['const all = []; while (true) try { all.push(new Uint8Array(1 << 20)) } catch {}', /^timeout/],
      ['return "x".repeat(1_000_000_000)', /^(memory|code: RangeError|code: InternalError)/],
      ['let s = "x"; while (true) s = s + s + "y"', /^(memory|timeout|code: InternalError: string too long)/],
      ['return new Uint8Array(4_000_000_000).length', /^(memory|code: RangeError)/],
      ['const deep = (n: number): number => deep(n + 1) + 1; return deep(0)', /^code: InternalError: stack overflow/],
      ['return eval("(".repeat(100_000))', /^(code|memory|timeout): /],
      ['while (true) console.log("line".repeat(1_000))', /^output: The code printed too much/],
      ['while (true) { try { console.log("x".repeat(10_000)) } catch {} }', /^output/],
      ['return "x".repeat(1_000_001)', /^output: evaluate returned/],
    ];
    for (const [body, expected] of cases) {
      assert.match(
        await resultOf(typescript(`function evaluate(input: any) { ${body} }`, {}, timeFor(expected))),
        expected,
        body,
      );
      assert.equal(await resultOf(typescript('function evaluate() { return 1 }')), '1');
    }
  });

  test('a run sees nothing of an earlier one', async () => {
    const source =
      'globalThis.count = (globalThis.count ?? 0) + 1; Object.prototype.seen ??= 0; function evaluate() { Array.prototype.left = 1; return [count, ([] as any).left2 ?? null] }';
    for (let run = 0; run < 3; run++) assert.equal(await resultOf(typescript(source)), '[1,null]');
    assert.equal(
      await resultOf(typescript('function evaluate() { return [typeof count, [].left ?? null] }')),
      '["undefined",null]',
    );
  });
});

describe('Python', () => {
  test('runs evaluate with the inputs by name, and returns its value as JSON', async () => {
    const source = `
import json, re, math
def evaluate(output: str, score: float = 2.5, **others):
    print("seen", output)
    return {"label": output, "score": score, "explanation": str(sorted(others.keys()))}
`;
    const outcome = await python(source, { output: 'ä"\n\u2028😀\'', reference: null });
    assert.deepEqual(
      { ...outcome, durationMs: 0 },
      {
        ok: true,
        value: parseExactJson(JSON.stringify({ label: 'ä"\n\u2028😀\'', score: 2.5, explanation: "['reference']" }), {
          depthMax: 9,
        }),
        printed: 'seen ä"\n\u2028😀\'\n',
        durationMs: 0,
      },
    );
    assert.equal(
      await resultOf(python('def evaluate(n):\n  return (True, None, n)', { n: 12345678901 })),
      '[true,null,12345678901]',
    );
    assert.match(await resultOf(python('def evaluate(x):\n  return x', { x: '\ud800' })), /^"/);
    assert.equal(
      await resultOf(python('def evaluate(x):\n  return x', { x: '\0\x01\\"""' })),
      JSON.stringify('\0\x01\\"""'),
    );
  });

  test('reports errors with their line', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['def evaluate():\n  return 1/0', /^code: ZeroDivisionError: .* \(line 2\)$/],
      ['def evaluate(:\n  pass', /^code: SyntaxError: .*\(line 1\)$/],
      ['x = 1', /^code: The source does not define a function named evaluate$/],
      ['def evaluate(a):\n  pass', /^code: TypeError/],
      ['def evaluate():\n  return float("nan")', /^code: evaluate returned a value that is not JSON/],
      ['def evaluate():\n  return {1, 2}', /^code: evaluate returned a value that is not JSON/],
      ['def evaluate():\n  return open', /not JSON/],
      ['def evaluate():\n  yield 1', /not JSON/],
      ['async def evaluate():\n  return 1', /not JSON/],
      ['def evaluate():\n  raise SystemExit(3)', /^code: SystemExit/],
      ['import requests\ndef evaluate():\n  pass', /^code: ImportError: .*requests/],
    ];
    for (const [source, expected] of cases) assert.match(await resultOf(python(source)), expected, source);
  });

  test('reaches nothing outside', async () => {
    const escapes = [
      'open("/etc/passwd").read()',
      'open("/work/x", "w").write("x")',
      'open("package.json").read()',
      '__import__("os").listdir("/")',
      '__import__("os").system("ls")',
      '__import__("os").getenv("PATH")',
      '__import__("os").mkdir("/tmp/sandbox-was-here")',
      '__import__("os").remove("/etc/passwd")',
      '__import__("subprocess")',
      '__import__("socket")',
      '__import__("js").process.exit()',
      '__import__("js").globalThis',
      'getattr(__import__("js"), "fetch")("http://127.0.0.1")',
      '__import__("js").eval("1")',
      '__import__("js").constructor.constructor("return process")()',
      '__import__("jsffi").create_proxy(lambda: 1)',
      '__import__("jsffi").to_js([1])',
      '__import__("jsffi").mem_info()',
      '__import__("jsffi").JsProxy()',
      'type(__import__("js"))()',
      'type(__import__("js"))(0)',
      '__import__("js")()',
      '__import__("js")["process"]',
      'list(__import__("js"))',
      'setattr(__import__("js"), "process", 1)',
      '__import__("asyncio").run(main())',
      'exec("import js; js.process.exit()")',
      '().__class__.__bases__[0].__subclasses__()',
    ];
    for (const attempt of escapes) {
      const outcome = await resultOf(python(`async def main():\n  pass\ndef evaluate():\n  return str(${attempt})`));
      assert.match(outcome, /^code: /, `${attempt} gave ${outcome}`);
    }
  });

  test('ends at its limits, and the next run works', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['while True: pass', /^timeout/],
      ['while True:\n      try:\n        while True: pass\n      except BaseException: pass', /^timeout/],
      ['def endless():\n      while True: yield 0\n    return sum(i for i in endless())', /^timeout/],
      ['return input()', /^timeout/],
      ['__import__("time").sleep(1000)', /^timeout/],
      ['return [x for x in range(10**9)]', /^(memory|timeout)/],
      ['x = [0]\n    while True: x = x + x', /^memory/],
      ['return "x" * 10**9', /^memory/],
      ['return bytearray(10**9)', /^memory/],
      ['return 10 ** 10 ** 8', /^(timeout|memory|code)/],
      ['f = lambda n: f(n + 1) + 1\n    return f(0)', /^code: RuntimeError: maximum recursion depth exceeded/],
      ['return eval("(" * 100000)', /^(code|memory|timeout)/],
      ['x = []\n    x.append(x)\n    return x', /^(code|memory|output|timeout)/],
      ['while True: print("line" * 1000)', /^output: The code printed too much/],
    ];
    for (const [body, expected] of cases) {
      assert.match(await resultOf(python(`def evaluate():\n    ${body}`, {}, timeFor(expected))), expected, body);
      assert.equal(await resultOf(python('def evaluate():\n  return 1')), '1');
    }
  });

  test('a run sees nothing of an earlier one', async () => {
    const source =
      'import sys\nsys.left = getattr(sys, "left", 0) + 1\ndef evaluate():\n  globals()["count"] = globals().get("count", 0) + 1\n  return [count, "left" in dir(sys)]';
    for (let run = 0; run < 3; run++) assert.match(await resultOf(python(source)), /^\[1,|^code: AttributeError/);
    const grow =
      'kept = []\ndef evaluate():\n  for i in range(4000): kept.append("x" * 500 + str(i))\n  return len(kept)';
    const seed = 'import random\ndef evaluate():\n  random.seed(7)\n  return random.random()';
    const look =
      'import random\ndef evaluate():\n  return ["kept" in globals(), "evaluate" in globals(), random.random()]';
    const looks = [];
    for (const before of [grow, seed, look, look]) {
      await python(before);
      const seen = await resultOf(python(look));
      assert.match(seen, /^\[false,true,0\.\d+\]$/);
      looks.push(seen);
    }
    assert.equal(new Set(looks).size, looks.length, 'a run starts with random numbers of its own');
  });
});

test('a cancelled run ends, and waiting runs go on', async () => {
  const abort = new AbortController();
  const endless = {
    language: 'TYPESCRIPT',
    source: 'function evaluate() { while (true); }',
    inputs: {},
    timeoutMs: 60_000,
    owner: 'user 1',
  } as const;
  const runs = [1, 2, 3, 4].map(() => sandbox.run(endless, abort.signal));
  const waiting = python('def evaluate():\n  return 1');
  setTimeout(() => abort.abort(), 100);
  for (const run of runs) await assert.rejects(run, { name: 'AbortError' });
  assert.equal(await resultOf(waiting), '1');
});

test('sources and inputs have limits', async () => {
  assert.match(await resultOf(typescript(`// ${'x'.repeat(50_001)}`)), /^code: The source has 50004 characters/);
  assert.match(
    await resultOf(typescript('', { x: 'x'.repeat(4_000_000) })),
    /^code: The inputs have 4000008 characters/,
  );
});
