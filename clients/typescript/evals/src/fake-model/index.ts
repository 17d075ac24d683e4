export { createFakeModel, type FakeAnswer, type FakeModel } from './create-fake-model.ts';
