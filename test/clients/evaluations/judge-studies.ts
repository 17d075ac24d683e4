import { createFakeModel, type FakeModelOptions } from '../../../clients/typescript/evals/src/fake-model/index.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';

/** A row with the truth as the label of people. */
export interface StudyRow {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly input: string;
  readonly output: string;
  readonly humanLabel: string;
  readonly model: string;
}

/** Rows of which half are long, and people are right. The fake judge reads the truth from a mark. */
export function makeStudy(count: number, seed = 4): StudyRow[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, number) => {
    const truth = random.below(2);
    const output = `Answer ${number} truth=${truth}. ${'More words follow here. '.repeat(random.pick([1, 30]))}`;
    const humanLabel = truth === 1 ? 'correct' : 'incorrect';
    return { id: `row ${number}`, input: 'q', output, humanLabel, model: random.pick(['gpt-4o', 'claude-3']) };
  });
}

/** A fake judge in this process that only the given options decide. */
export const createStudyModel = (judge: FakeModelOptions['judge'], options: FakeModelOptions = {}) =>
  createFakeModel({ judge: { positive: 'correct', longChars: 400, ...judge }, ...options });
