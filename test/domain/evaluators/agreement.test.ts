import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agreementOfLabels, agreementOfScores } from '../../../src/domain/evaluators/agreement/agreement-measures.ts';
import { describeAgreement } from '../../../src/domain/evaluators/agreement/describe-agreement.ts';

/** Pairs of labels of a table: a row per label of the first rater, a column per label of the second. */
const pairsOf = (table: readonly (readonly number[])[]) =>
  table.flatMap((row, first) =>
    row.flatMap((count, second) => Array.from({ length: count }, () => [`${first}`, `${second}`] as const)),
  );

describe('agreement of an evaluator with people', () => {
  test('kappa is that of published examples', () => {
    // Cohen, A coefficient of agreement for nominal scales (1960), table 1 with 200 subjects: .492.
    const cohen = agreementOfLabels(
      pairsOf([
        [88, 14, 18],
        [10, 40, 10],
        [2, 6, 12],
      ]),
    )!;
    assert.deepEqual([cohen.count, cohen.agreedCount, cohen.kappa!.toFixed(3)], [200, 140, '0.492']);
    // Two readers of 50 grant proposals, of the article on Cohen's kappa in Wikipedia: .40.
    const grants = agreementOfLabels(
      pairsOf([
        [20, 5],
        [10, 15],
      ]),
    )!;
    assert.equal(grants.share, 0.7);
    assert.ok(Math.abs(grants.kappa! - 0.4) < 1e-12);
  });

  test('kappa is zero by chance, one for equal labels, and unknown where there is only one label', () => {
    assert.equal(
      agreementOfLabels(
        pairsOf([
          [10, 10],
          [10, 10],
        ]),
      )!.kappa,
      0,
    );
    assert.equal(
      agreementOfLabels(
        pairsOf([
          [3, 0],
          [0, 4],
        ]),
      )!.kappa,
      1,
    );
    assert.equal(agreementOfLabels(pairsOf([[5]]))!.kappa, null);
    assert.equal(agreementOfLabels([]), undefined);
    assert.equal(
      agreementOfLabels([
        ['__proto__', '__proto__'],
        ['constructor', 'b'],
      ])!.agreedCount,
      1,
    );
  });

  test("the correlation of scores is that of Anscombe's data", () => {
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    const found = agreementOfScores(x.map((value, index) => [value, y[index]!] as const))!;

    assert.equal(found.correlation!.toFixed(5), '0.81642');
    assert.equal(found.meanDifference.toFixed(3), '-1.499');
  });

  test('a correlation of two pairs or of equal scores is unknown', () => {
    assert.equal(
      agreementOfScores([
        [0, 0],
        [1, 1],
      ])!.correlation,
      null,
    );
    assert.equal(
      agreementOfScores([
        [0.1, 0],
        [0.1, 1],
        [0.1, 0.5],
      ])!.correlation,
      null,
    );
    assert.equal(
      agreementOfScores([
        [1e200, -1e200],
        [-1e200, 1e200],
        [0, 0],
      ])!.correlation,
      null,
    );
    assert.equal(agreementOfScores([]), undefined);
  });

  test('sentences state counts, and when they are too few', () => {
    const labels = agreementOfLabels(
      pairsOf([
        [20, 5],
        [10, 15],
      ]),
    );
    assert.equal(
      describeAgreement(labels, undefined),
      'Agrees with people on 35 of 50 labels (70%); kappa 0.40, fair agreement.',
    );
    assert.equal(
      describeAgreement(agreementOfLabels(pairsOf([[5]])), agreementOfScores([[0, 0.5]])),
      'Agrees with people on 5 of 5 labels (100%). All labels are the same, so chance cannot be excluded. ' +
        'Correlation with the scores of people is unknown for 1 score; its mean is 0.50 higher. ' +
        '5 runs are too few to tell; annotate at least 20.',
    );
  });
});
