import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FilterError } from '../../src/filter/syntax/filter-error.ts';
import { formatFilter } from '../../src/filter/syntax/format-filter.ts';
import { parseExpression } from '../../src/filter/syntax/parse-expression.ts';
import type { Expression } from '../../src/filter/syntax/syntax-tree.ts';
import { childrenOf } from '../../src/filter/syntax/syntax-tree.ts';
import { randomExpression, randomFrom } from './random-filters.ts';

/** A tree without its ranges. */
const bare = (expression: Expression): unknown =>
  JSON.parse(JSON.stringify(expression, (key, value) => (key === 'start' || key === 'end' ? undefined : value)));

const textOf = (source: string): string => {
  const expression = parseExpression(source);
  assert.equal(expression.kind, 'text');
  return (expression as Expression & { kind: 'text' }).value;
};

const numberOf = (source: string): unknown => {
  const { kind, ...number } = bare(parseExpression(source)) as Record<string, unknown>;
  assert.equal(kind, 'number');
  return number;
};

describe('the grammar of filters', () => {
  test('reads strings in every form of Python', () => {
    for (const [source, value] of [
      [`'a"b'`, 'a"b'],
      [`"a'b"`, "a'b"],
      [`'''a'b''c\nd'''`, "a'b''c\nd"],
      [`"""a""b"""`, 'a""b'],
      [`''`, ''],
      [`''''''`, ''],
      [`'a' "b" '''c'''`, 'abc'],
      [`r'\\n\\''`, `\\n\\'`],
      [`R"\\x"`, '\\x'],
      [`u'a'`, 'a'],
      [`'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\"'`, '\x07\b\f\n\r\t\v\\\'"'],
      [`'\\x41\\101\\u00e9\\U0001f680'`, 'AAé🚀'],
      [`'\\7'`, '\x07'],
      [`'\\777'`, 'ǿ'],
      [`'\\ud83d\\ude80'`, '🚀'],
      [`'a\\\nb'`, 'ab'],
      [`'\\d\\q'`, '\\d\\q'],
      [`'''a\r\nb\rc'''`, 'a\nb\nc'],
      [`'東京 # no comment'`, '東京 # no comment'],
    ] as const) {
      assert.equal(textOf(source), value, source);
    }
  });

  test('reads numbers in every form of Python', () => {
    for (const [source, value, isInteger] of [
      ['0', 0, true],
      ['00_0', 0, true],
      ['10_000', 10_000, true],
      ['0x_FF', 255, true],
      ['0o17', 15, true],
      ['0B1_01', 5, true],
      ['1.', 1, false],
      ['.5', 0.5, false],
      ['1_0.2_5', 10.25, false],
      ['1e3', 1000, false],
      ['1E-3', 0.001, false],
      ['012.5', 12.5, false],
      ['0e0', 0, false],
      ['9007199254740993', 9007199254740992, true],
    ] as const) {
      assert.deepEqual(numberOf(source), { value, isInteger }, source);
    }
  });

  test('binds as Python does', () => {
    for (const [source, bracketed] of [
      ['a or b and not c == d', '(a or (b and (not (c == d))))'],
      ['a + b * c - d', '((a + (b * c)) - d)'],
      ['-a ** -b ** c', '(-(a ** (-(b ** c))))'],
      ['a | b ^ c & d << e + f % g', '(a | (b ^ (c & (d << (e + (f % g))))))'],
      ['not a in b', '(not (a in b))'],
      ['a < b == c', '(a < b == c)'],
      ['a.b[0].c(d)', 'a.b[0].c(d)'],
      ['-a.b', '(-a.b)'],
    ] as const) {
      assert.deepEqual(bare(parseExpression(source)), bare(parseExpression(bracketed)), source);
    }
  });

  test('represents and, or and links as lists, so that long chains do not nest', () => {
    const chain = parseExpression('a and b and c and (d and e)');

    assert.equal(chain.kind === 'and' && chain.operands.length, 4);
    const links = parseExpression('a < b < c is not d not in e');
    assert.deepEqual(links.kind === 'comparison' && links.links.map(({ operator }) => operator), [
      '<',
      '<',
      'is not',
      'not in',
    ]);
  });

  test('skips blanks, line ends and comments', () => {
    const spread = parseExpression("# slow\n\tlatency_ms >= 1 # ms\r\n and (\n name == 'x')");

    assert.deepEqual(bare(spread), bare(parseExpression("latency_ms >= 1 and name == 'x'")));
  });

  test('reports the source range of every expression', () => {
    const text = "(a + 1) * 2 < f(x.y['k'])  and not (b)";
    const sources: string[] = [];
    const visit = (expression: Expression): void => {
      sources.push(text.slice(expression.start, expression.end));
      for (const child of childrenOf(expression)) visit(child);
    };

    visit(parseExpression(text));

    assert.deepEqual(sources, [
      text,
      "(a + 1) * 2 < f(x.y['k'])",
      '(a + 1) * 2',
      'a + 1',
      'a',
      '1',
      '2',
      "f(x.y['k'])",
      'f',
      "x.y['k']",
      'x.y',
      'x',
      "'k'",
      'not (b)',
      'b',
    ]);
  });

  test('formats with no more brackets than needed', () => {
    for (const text of [
      "a == 'x' and (b or not c) and d[0] < 1.5",
      '(a + b) * -c ** 2 % (d - (e - f))',
      "any(x.a > 1 for x in spans if x.b == 'y')",
      "x in ['a', \"it's\", 'b\\n'] or y not in (1,) or z in ()",
      '(a and b) and c',
      '(a == b) == c',
    ]) {
      assert.equal(formatFilter(parseExpression(text)), text);
    }
  });

  test('gives the same tree for the text of a tree', () => {
    for (let seed = 1; seed <= 5_000; seed++) {
      const tree = randomExpression(randomFrom(seed), 4);
      const text = formatFilter(tree);
      const context = `seed ${seed}: ${text}`;

      assert.deepEqual(bare(parseExpression(text)), bare(tree), context);
    }
  });

  test('returns a tree or throws a FilterError for any text', () => {
    for (let seed = 1; seed <= 20_000; seed++) {
      const random = randomFrom(seed);
      const chars = [...formatFilter(randomExpression(random, 3))];
      for (let edit = 0; edit <= random.below(4); edit++) {
        const noise = random.pick([
          ...'\'"\\()[]{}.,:=<>!#+-*/%&|^~@ \n0123x_eERbfu🚀é',
          'not',
          ' in ',
          ' is ',
          'for',
          '\ud800',
        ]);
        chars.splice(random.below(chars.length + 1), random.below(3), noise);
      }
      const text = chars.join('');
      try {
        const tree = parseExpression(text);
        assert.deepEqual(bare(parseExpression(formatFilter(tree))), bare(tree), `seed ${seed}: ${text}`);
      } catch (error) {
        if (!(error instanceof FilterError)) throw new Error(`seed ${seed}: ${text}`, { cause: error });
      }
    }
  });
});
