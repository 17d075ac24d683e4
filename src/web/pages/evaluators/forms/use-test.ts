import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import { toText } from '../../../components/prompt/variant/tools.ts';
import { parseJson } from '../../../components/prompt/variant/variant.ts';
import { send, toFailure } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { listPaths } from './context-paths.ts';
import {
  type TestEvaluatorData,
  type TestEvaluatorVariables,
  type TestInputsData,
  testEvaluator,
  testedExamples,
  testInputs,
} from './generated/forms.ts';

export type TestInput = TestEvaluatorVariables['input'];
export type TestedEvaluator = TestInput['previews'][number]['evaluator'];
export type TestResult = TestEvaluatorData['evaluatorPreviews']['results'][number];
type PreviewedInput = TestInputsData['evaluatorInputPreview']['inputs'][number];

interface Mapping {
  readonly pathMapping: object;
  readonly literalMapping: object;
}

/** Values on which an evaluator is tried, and the results. */
export interface EvaluatorTest {
  readonly examples: readonly { readonly id: string; readonly label: string }[];
  /** False until the examples are known. */
  readonly isLoaded: boolean;
  /** ID of the chosen example, or undefined while the values are typed. */
  readonly exampleId: string | undefined;
  readonly choose: (exampleId: string | undefined) => void;
  /** Typed values as JSON. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Undefined while it loads, and while the typed text is not an object. */
  readonly context: JsonObject | undefined;
  /** Whether no run of the example has an output that could be evaluated. */
  readonly lacksOutput: boolean;
  /** Takes the reference of the example as its output. Undefined without a reference. */
  readonly useReference: (() => void) | undefined;
  /** Values of the mapped inputs. */
  readonly inputs: readonly PreviewedInput[];
  /** Why the mapping cannot be read. */
  readonly problem: string | undefined;
  /** Paths that lead to a value. */
  readonly paths: readonly string[];
  readonly results: readonly TestResult[] | undefined;
  readonly failure: string | undefined;
  readonly isRunning: boolean;
  readonly run: (evaluator: TestedEvaluator, credentials: TestInput['credentials']) => void;
  readonly stop: () => void;
}

const EMPTY = { input: {}, output: null, reference: null, metadata: {} };

export function useTest(datasetId: string, mapping: Mapping): EvaluatorTest {
  const list = useQuery(testedExamples, { id: datasetId });
  const examples = list.data?.node.__typename === 'Dataset' ? list.data.node.examples.edges : [];
  const [chosen, setChosen] = useState<string | 'typed'>();
  const [typed, setTyped] = useState<string>();
  const exampleId = chosen === 'typed' ? undefined : (chosen ?? examples[0]?.node.id);
  const text = typed ?? toText(EMPTY);
  const typedValue = parseJson(text);
  const typedContext = isObject(typedValue) ? typedValue : undefined;
  const variables =
    exampleId !== undefined
      ? { exampleId, inputMapping: mapping }
      : list.data && typedContext
        ? { context: typedContext, inputMapping: mapping }
        : undefined;
  const { data, failure } = useQuery(testInputs, variables);
  const preview = failure ? undefined : data?.evaluatorInputPreview;
  const context = exampleId === undefined ? typedContext : (data?.evaluatorInputPreview.context as JsonObject);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const test = useMutation({
    mutationFn: async (input: TestInput) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      return (await send(testEvaluator, { input }, controller.signal)).evaluatorPreviews.results;
    },
  });
  const lacksOutput = exampleId !== undefined && context?.output === null;
  const reference = context?.reference ?? null;
  return {
    lacksOutput,
    useReference:
      lacksOutput && reference !== null
        ? () => {
            setTyped(toText({ ...context, output: reference }));
            setChosen('typed');
            test.reset();
          }
        : undefined,
    examples: examples.map(({ node }, index) => ({
      id: node.id,
      label: node.externalId === null ? `Example ${index + 1}` : `Example ${index + 1}, ${node.externalId}`,
    })),
    isLoaded: list.data !== undefined,
    exampleId,
    choose: (id) => {
      if (id === undefined && typed === undefined && context) setTyped(toText(context));
      setChosen(id ?? 'typed');
      test.reset();
    },
    text,
    setText: setTyped,
    context,
    inputs: preview?.inputs ?? [],
    problem: failure?.message,
    paths: listPaths(context as Json),
    results: test.data,
    failure: test.error && running.current?.signal.aborted !== true ? toFailure(test.error).message : undefined,
    isRunning: test.isPending,
    run: (evaluator, credentials) => {
      if (!context) return;
      const inputMapping = mapping as TestInput['previews'][number]['inputMapping'];
      test.mutate({ previews: [{ evaluator, context, inputMapping }], ...(credentials && { credentials }) });
    },
    stop: () => {
      running.current?.abort();
      test.reset();
    },
  };
}
