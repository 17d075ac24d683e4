import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { InstalledEvals } from '../installed-evals.ts';
import { EXACT, judgeOf } from './judge.ts';

export function testEvaluators(installed: () => InstalledEvals): void {
  describe('evaluators', () => {
    test('are made of functions, whose results and names are theirs', async () => {
      const { createEvaluator, asEvaluatorFn } = installed().core;
      const same = createEvaluator(function sameText({ output, expected }: { output: string; expected: string }) {
        return output === expected;
      });

      assert.deepEqual([same.name, same.kind, same.optimizationDirection], ['sameText', 'CODE', 'MAXIMIZE']);
      assert.deepEqual(await same.evaluate({ output: 'a', expected: 'a' }), { score: 1, label: 'True' });
      assert.deepEqual(await asEvaluatorFn(async () => 'fine')({}), { label: 'fine' });
      assert.match(createEvaluator(() => 1).name, /^evaluator-\w{8}$/);
      assert.equal(
        createEvaluator(() => 1, { name: 'n', optimizationDirection: 'NEUTRAL' }).optimizationDirection,
        'NONE',
      );
    });

    test('read their fields through a mapping, which is bound to a new evaluator', async () => {
      const { createEvaluator, bindEvaluator } = installed().core;
      const same = createEvaluator(({ output, expected }: Record<string, unknown>) => output === expected, {
        name: 'same',
      });
      const bound = bindEvaluator(same, {
        inputMapping: { output: '$.answer.text', expected: (row: { gold: string }) => row.gold },
      });

      assert.deepEqual(await bound.evaluate({ answer: { text: 'x' }, gold: 'x' }), { score: 1, label: 'True' });
      assert.deepEqual(await same.evaluate({ output: 1, expected: 1 }), { score: 1, label: 'True' });
      assert.equal(same.inputMapping, undefined);
      // A key of the row wins over a path, and other fields stay.
      const literal = same.bindInputMapping({ output: 'a.b' });
      assert.deepEqual(await literal.evaluate({ 'a.b': 2, a: { b: 3 }, expected: 2 }), { score: 1, label: 'True' });
      await assert.rejects(
        bound.evaluate({ gold: 'x' }),
        /"\$\.answer\.text" of the field output is missing.*has gold/,
      );
    });

    test('let a model choose a label, with its reason first', async () => {
      const { fakeModel, core } = installed();
      const requests: unknown[] = [];
      const model = fakeModel.createFakeModel({ answers: [{ explanation: 'why', label: 'good' }] });
      const spying = {
        ...model,
        call(request: never) {
          requests.push(request);
          return model.call(request);
        },
      };
      const judge = judgeOf(installed(), spying);

      assert.deepEqual(await judge.evaluate({ input: 'text' }), {
        score: 1,
        label: 'good',
        explanation: 'why',
        metadata: { model: 'fake-model', inputTokens: 9, outputTokens: 9 },
      });
      const [request] = requests as { answer: { schema: { properties: object; required: string[] } } }[];
      assert.deepEqual(Object.keys(request?.answer.schema.properties ?? {}), ['explanation', 'label']);
      assert.deepEqual(judge.promptTemplateVariables, ['input']);
      const classify = core.createClassifierFn({ model, choices: ['good', 'bad'], promptTemplate: '{{input}}' });
      assert.deepEqual((await classify({ input: 1 })).label, 'good');
      assert.deepEqual(await core.generateClassification({ model, labels: ['good', 'bad'], prompt: 'Judge.' }), {
        label: 'good',
        explanation: 'why',
      });
    });

    test('grade by the probabilities of the labels', async () => {
      const model = installed().fakeModel.createFakeModel({ judge: { sensitivity: 0.8, specificity: 0.7 } });
      const judge = judgeOf(installed(), model, { gradeByLogprobs: true });

      const good = await judge.evaluate({ input: 'truth=1' });
      const bad = await judge.evaluate({ input: 'truth=0' });

      assert.ok(Math.abs((good.score ?? 0) - 0.8) < 1e-9);
      assert.ok(Math.abs((bad.score ?? 0) - 0.3) < 1e-9);
      // The label is where the field is, also in another case, with explanations that name labels around it.
      const token = (text: string, share = 1) => ({ token: text, logprob: Math.log(share), alternatives: [] });
      const label = { ...token('Good'), alternatives: [token('Good', 0.75), token('bad', 0.25)] };
      const written = ['{"label": "', label, '", "explanation": "good, not bad"}'].map((each) =>
        typeof each === 'string' ? token(each) : each,
      );
      const graded = judgeOf(
        installed(),
        () => ({ text: written.map((each) => each.token).join(''), logprobs: written }),
        { gradeByLogprobs: true },
      );
      assert.ok(Math.abs(((await graded.evaluate({ input: 'x' })).score ?? 0) - 0.75) < 1e-9);
    });

    test('generate texts and objects, with one repair of an object that does not fit', async () => {
      const { core, fakeModel } = installed();
      const { generateText, generateObject } = core;
      const model = (...answers: unknown[]) => fakeModel.createFakeModel({ answers });
      const schema = {
        type: 'object',
        properties: { city: { type: 'string', minLength: 2 }, people: { type: 'integer' } },
        required: ['city'],
      };
      const rome = { city: 'Rome', people: 3 };

      const { text, usage } = await generateText({ model: model('Rome.'), prompt: 'A city?' });
      const { object, isRepaired } = await generateObject({
        model: model({ city: 'R' }, rome),
        prompt: 'A city?',
        schema,
      });
      const byTool = await generateObject({
        ...{ model: model(rome), messages: [{ role: 'user' as const, content: 'A city?' }], schema },
        method: 'tool_calling',
      });

      assert.deepEqual([text, usage], ['Rome.', { inputTokens: 2, outputTokens: 2 }]);
      assert.deepEqual([object, isRepaired, byTool.object], [rome, true, rome]);
      await assert.rejects(generateText({ model: model(' '), prompt: 'x' }), core.AnswerError);
      await assert.rejects(
        generateObject({ model: model({}, { city: 1 }), prompt: 'x', schema }),
        /at \/city, must be string/,
      );
      await assert.rejects(
        generateObject({ model: model(rome), prompt: 'x', schema: { type: 'array' } }),
        /of an object/,
      );
      await assert.rejects(
        generateObject({ model: model(rome), prompt: 'x', schema: { ...schema, required: ['town'] } }),
        /requires town/,
      );
      await assert.rejects(
        generateObject({ model: model(rome), prompt: 'x', schema: { ...schema, dependencies: {} } }),
        /'dependencies' of JSON Schema is not supported/,
      );
      await assert.rejects(generateText({ model: model('x') }), /takes prompt or messages/);
    });

    test('take templates with single braces', async () => {
      const { core, fakeModel } = installed();
      const judge = judgeOf(installed(), fakeModel.createFakeModel(EXACT), {
        promptTemplate: 'Judge {input.text} as JSON: {"label": …}',
        templateFormat: 'f-string',
      });

      assert.equal((await judge.evaluate({ input: { text: 'truth=1' } })).label, 'good');
      await assert.rejects(judge.evaluate({ input: {} }), core.InputError);
      assert.throws(
        () => core.createCorrectnessEvaluator({ model: fakeModel.createFakeModel(), templateFormat: 'f-string' }),
        /prompt of its own format/,
      );
    });

    test('repair a response once, and count a label outside of the choices separately', async () => {
      const { fakeModel, core } = installed();
      const answersOf = (...answers: unknown[]) => fakeModel.createFakeModel({ answers });
      const evaluate = (...answers: unknown[]) => judgeOf(installed(), answersOf(...answers)).evaluate({ input: 'x' });
      const object = (label: string) => ({ explanation: 'why', label });

      assert.deepEqual((await evaluate('I think it is good.', object('good'))).metadata?.repaired, true);
      assert.deepEqual((await evaluate(object('gut'), object('bad'))).label, 'bad');
      assert.deepEqual((await evaluate(`Sure:\n\`\`\`json\n${JSON.stringify(object('bad'))}\n\`\`\``)).label, 'bad');
      assert.deepEqual((await evaluate(object(' Good.'))).label, 'good');
      await assert.rejects(evaluate(object('gut'), object('schlecht')), core.LabelError);
      await assert.rejects(evaluate(object('good, bad'), object('good, bad')), core.LabelError);
      await assert.rejects(
        evaluate('', ''),
        (error: Error) => error instanceof core.AnswerError && /empty/.test(error.message),
      );
      await assert.rejects(evaluate('Gut.', 'Gut.'), /no JSON object with explanation, label.*"Gut\."/);
    });

    test('remember the form of responses that a model supports', async () => {
      const { fakeModel } = installed();
      const model = fakeModel.createFakeModel({
        name: 'only words',
        supports: [],
        judge: { sensitivity: 1, specificity: 1 },
      });
      const judge = judgeOf(installed(), model);

      const labels = [];
      for (const input of ['truth=1', 'truth=0', 'truth=1']) labels.push((await judge.evaluate({ input })).label);

      assert.deepEqual(labels, ['good', 'bad', 'good']);
      assert.equal(model.counts.rejectedForms, 2);
    });

    test('trace each evaluation with its trace ID, unless switched off', async () => {
      const exporter = new InMemorySpanExporter();
      const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      const tracer = provider.getTracer('test');
      const { createEvaluator } = installed().core;
      const options = { name: 'traced', telemetry: { tracer } };

      const result = await createEvaluator(() => 1, options).evaluate({ input: 'x' });
      await createEvaluator(() => 1, { ...options, telemetry: { tracer, isEnabled: false } }).evaluate({});
      await assert.rejects(
        createEvaluator(() => {
          throw new Error('broken');
        }, options).evaluate({}),
      );

      const judge = judgeOf(installed(), installed().fakeModel.createFakeModel(EXACT), { telemetry: { tracer } });
      await judge.evaluate({ input: 'truth=1' });

      const [span, failed, call, judged, ...others] = exporter.getFinishedSpans();
      assert.equal(others.length, 0);
      assert.equal(span?.name, 'traced.evaluate');
      assert.equal(result.metadata?.traceId, span?.spanContext().traceId);
      assert.equal(span?.attributes['openinference.span.kind'], 'EVALUATOR');
      assert.equal(span?.attributes['input.value'], '{"input":"x"}');
      assert.equal(span?.attributes['output.value'], '[{"score":1}]');
      assert.equal(failed?.status.code, 2);
      assert.deepEqual(
        [call?.attributes['openinference.span.kind'], call?.attributes['llm.model_name'], judged?.name],
        ['LLM', 'fake-model', 'quality.evaluate'],
      );
      assert.match(String(call?.attributes['output.value']), /"label":"good"/);
      assert.ok(Number(call?.attributes['llm.token_count.prompt']) > 5);
      await provider.shutdown();
    });
  });
}
