import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mostSimilar, similarityOf } from '../../src/filter/similarity.ts';

describe('similarity', () => {
  test('is twice the matching characters over all characters', () => {
    assert.equal(similarityOf('score', 'scores'), 10 / 11);
    assert.equal(similarityOf('label', 'label'), 1);
    assert.equal(similarityOf('abcd', 'bcde'), 0.75);
    assert.equal(similarityOf('a', 'xyza'), 0.4);
    assert.equal(similarityOf('abc', 'xyz'), 0);
    assert.equal(similarityOf('', ''), 1);
  });

  test('suggests only names that are more than three quarters similar', () => {
    assert.equal(mostSimilar('lable', ['score', 'label', 'explanation']), 'label');
    assert.equal(mostSimilar('abcd', ['bcde']), undefined);
    assert.equal(mostSimilar('x'.repeat(100_000), ['score']), undefined);
  });
});
