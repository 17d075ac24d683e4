import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import type { DatasetExample } from '../../../model/dataset.ts';
import { ESTIMATE_SAMPLE_COUNT_MAX, ESTIMATE_SAMPLE_OFFSET_COUNT } from '../../../model/limits/chat.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';
import type { ExampleSelection } from '../../datasets/read-examples.ts';
import type { Ports } from '../../ports.ts';
import { valueAt } from '../../prompts/value-at.ts';

/** A case of a run, as far as an estimate needs it. */
export interface SampledCase {
  readonly variables: ExactJsonObject;
  /** Bytes of messages that follow those of the template. */
  readonly appendedBytes: number;
  /** Bytes of the expected output. Undefined when there is none. */
  readonly expectedBytes: number | undefined;
  /** Bytes that an evaluator may see besides the output of the run. */
  readonly contextBytes: number;
}

export interface CaseSample {
  readonly caseCount: number;
  readonly cases: readonly SampledCase[];
}

export interface CasePaths {
  /** Dotted path into input, reference and metadata. Empty: all of them. */
  readonly templateVariables: string;
  /** Dotted path into the input. Null: no messages. */
  readonly appendedMessages: string | null;
}

/** Counts the examples of a run, and reads some of them, from several places of the dataset. */
export async function sampleExamples(
  { datasets }: Pick<Ports, 'datasets'>,
  selection: ExampleSelection,
  paths: CasePaths,
): Promise<CaseSample> {
  const limit = Math.ceil(ESTIMATE_SAMPLE_COUNT_MAX / ESTIMATE_SAMPLE_OFFSET_COUNT);
  const [caseCount, first] = await Promise.all([
    datasets.countExamples(selection),
    datasets.listExamples({ ...selection, limit }),
  ]);
  const found = new Map(first.items.map((example) => [example.rowId, example]));
  const start = first.items[0]?.rowId ?? 0;
  for (let place = 1; place < ESTIMATE_SAMPLE_OFFSET_COUNT && first.nextRowId !== undefined; place++) {
    // Uploads give examples row ids in a row.
    const fromRowId = start + Math.floor((caseCount * place) / ESTIMATE_SAMPLE_OFFSET_COUNT);
    const page = await datasets.listExamples({ ...selection, limit, fromRowId });
    for (const example of page.items) found.set(example.rowId, example);
  }
  return { caseCount, cases: [...found.values()].map((example) => toCase(example, paths)) };
}

function toCase(example: DatasetExample, { templateVariables, appendedMessages }: CasePaths): SampledCase {
  const [input, reference, metadata] = [parse(example.input), parse(example.output), parse(example.metadata)];
  const context = { input, reference, metadata };
  const value = templateVariables === '' ? context : valueAt(context, templateVariables.split('.'));
  const appended = appendedMessages === null ? undefined : valueAt(input, appendedMessages.split('.'));
  return {
    variables: isJsonObject(value) ? value : {},
    appendedBytes: appended === undefined ? 0 : bytesOf(appended),
    expectedBytes: example.output === '{}' ? undefined : textBytes(reference),
    contextBytes: textBytes(input) + textBytes(reference),
  };
}

/** Cases of a run without a dataset: the given ones stand for the others. */
export const sampleVariables = (caseCount: number, variables: readonly ExactJsonObject[]): CaseSample => ({
  caseCount,
  cases: variables.map((one) => ({
    ...{ variables: one, appendedBytes: 0, expectedBytes: undefined, contextBytes: textBytes(one) },
  })),
});

const parse = (text: string): ExactJson => parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX });

/** Without the names of fields and the signs of JSON. */
function textBytes(value: ExactJson): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textBytes(item), 0);
  if (isJsonObject(value)) return Object.values(value).reduce<number>((sum, item) => sum + textBytes(item), 0);
  return 4;
}

const bytesOf = (value: ExactJson): number => textBytes(value);
