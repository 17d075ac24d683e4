import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeEntityFilter, type FilterTerm } from '../../src/filter/entities/describe-entity-filter.ts';
import { parseSessionFilter, parseTraceFilter } from '../../src/filter/entities/parse-entity-filter.ts';

const OBSERVED = {
  annotations: ['quality', 'it\'s "odd" \\ \n'],
  attributes: ['llm.model_name', "o'clock"],
  metadata: ['tier'],
};

/** A filter that says no more than that the term is there. */
function conditionOf({ name, type, iterableName }: FilterTerm): string {
  const written = iterableName === null ? name : `e.${name}`;
  const condition = {
    text: `'x' in ${written}`,
    number: `${written} > 1`,
    timestamp: `${written} is not None`,
    condition: name === 'parent_span' ? `${written} is not None` : written,
    attribute: `${written} is not None`,
    annotation: written,
    collection: `any(${name === 'traces' ? 'i.latency_ms > 0' : 'i.name is not None'} for i in ${written})`,
  }[type];
  return iterableName === null ? condition : `any(${condition} for e in ${iterableName})`;
}

describe('terms of strict filters', () => {
  for (const [language, parse] of [
    ['session', parseSessionFilter],
    ['trace', parseTraceFilter],
  ] as const) {
    test(`of a ${language} are all part of its language, and have descriptions`, () => {
      const terms = describeEntityFilter(language, OBSERVED);

      for (const term of terms) {
        // Costs have no name.
        const condition = conditionOf(term).replace(
          /i\.name( is not None for i in (?:e\.|span_)cost_details)/,
          'i.tokens$1',
        );
        assert.ok(parse(condition), condition);
        assert.equal(typeof term.description, 'string', term.name);
      }
      const names = terms.map(({ name, iterableName }) => `${iterableName}.${name}`);
      assert.equal(new Set(names).size, names.length);
      for (const name of [`${language}_annotations['quality'].score`, "metadata['tier']", 'user.id', 'start_time']) {
        assert.ok(names.includes(`null.${name}`), name);
      }
    });
  }
});
