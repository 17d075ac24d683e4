import { ArgumentError } from '../errors.ts';
import type { Model, ModelRequest, ModelResponse } from '../models/model.ts';
export type FakeAnswer = unknown;
export interface FakeModel extends Model {
  readonly callCount: number;
}
export function createFakeModel({
  answers,
}: {
  readonly answers: readonly FakeAnswer[] | ((request: ModelRequest) => FakeAnswer);
}): FakeModel {
  if (Array.isArray(answers) && answers.length === 0) throw new ArgumentError('A fake model needs answers.');
  let callCount = 0;
  return {
    provider: 'fake',
    name: 'fake-model',
    address: '',
    answerForms: ['schema', 'tool', 'words'],
    get callCount() {
      return callCount;
    },
    async call(request): Promise<ModelResponse> {
      const answer = typeof answers === 'function' ? await answers(request) : answers[callCount % answers.length];
      callCount++;
      if (answer instanceof Error) throw answer;
      return typeof answer === 'string'
        ? { text: answer, value: answer }
        : { text: JSON.stringify(answer), value: answer };
    },
  };
}
