import { type ExactJson, isJsonObject } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { toPythonFloat, toPythonJson } from '../../base/python-text.ts';
import type { ExperimentEvaluation, ExperimentRun, RunRecord } from '../../model/experiment.ts';
import { EXAMPLE_BATCH_ROW_COUNT } from '../../model/limits/datasets.ts';
import { formatUnixNano } from '../../model/time/datetime.ts';
import type { NodeIdOf } from '../datasets/export-examples.ts';
import { csvLine, printCell } from '../datasets/files/csv-text.ts';
import type { Ports } from '../ports.ts';

/** Yields every run with its example and evaluations by example and repetition, as a JSON list in chunks. */
export async function* exportExperimentJson(
  ports: Pick<Ports, 'experiments'>,
  experimentRowId: number,
  exampleIdOf: NodeIdOf,
): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of readRecords(ports, experimentRowId)) {
    yield before + batch.map((record) => indent(toJsonText(record, exampleIdOf))).join(',\n');
    before = ',\n';
  }
  yield '\n]';
}

/** The same as CSV, with columns for each evaluation. */
export async function* exportExperimentCsv(
  ports: Pick<Ports, 'experiments'>,
  experimentRowId: number,
  exampleIdOf: NodeIdOf,
): AsyncGenerator<string> {
  const names = await ports.experiments.listEvaluationNames(experimentRowId);
  yield csvLine([
    ...RUN_HEADERS,
    ...names.flatMap((name) => EVALUATION_HEADERS.map((header) => `annotation_${name}_${header}`)),
  ]);
  for await (const batch of readRecords(ports, experimentRowId)) {
    let text = '';
    for (const { run, example, evaluations } of batch) {
      const byName = new Map(evaluations.map((evaluation) => [evaluation.name, evaluation]));
      text += csvLine([
        exampleIdOf(run.exampleRowId),
        String(run.repetitionNumber),
        asciiJson(example.input),
        asciiJson(example.output),
        outputCell(run.output),
        asciiJson(example.metadata),
        run.error ?? '',
        toPythonFloat(latencyMs(run)),
        timeText(run.startMicros),
        timeText(run.endMicros),
        run.traceId ?? '',
        '',
        '',
        ...names.flatMap((name) => evaluationCells(byName.get(name))),
      ]);
    }
    yield text;
  }
}

const RUN_HEADERS = [
  'example_id',
  'repetition_number',
  'input',
  'reference_output',
  'output',
  'metadata',
  'error',
  'latency_ms',
  'start_time',
  'end_time',
  'trace_id',
  'prompt_token_count',
  'completion_token_count',
] as const;

const EVALUATION_HEADERS = [
  'label',
  'score',
  'explanation',
  'metadata',
  'annotator_kind',
  'trace_id',
  'error',
  'start_time',
  'end_time',
] as const;

function evaluationCells(evaluation: ExperimentEvaluation | undefined): string[] {
  if (!evaluation) return EVALUATION_HEADERS.map(() => '');
  return [
    evaluation.label ?? '',
    evaluation.score === null ? '' : toPythonFloat(evaluation.score),
    evaluation.explanation ?? '',
    asciiJson(evaluation.metadata),
    evaluation.annotatorKind,
    evaluation.traceId ?? '',
    evaluation.error ?? '',
    timeText(evaluation.startMicros),
    timeText(evaluation.endMicros),
  ];
}

/** Reads the runs by example, then repetition. The download may omit a run that arrives while it is read. */
async function* readRecords(
  { experiments }: Pick<Ports, 'experiments'>,
  experimentRowId: number,
): AsyncGenerator<RunRecord[]> {
  let after: ExperimentRun | undefined;
  for (;;) {
    const batch = await experiments.listRunRecords(experimentRowId, EXAMPLE_BATCH_ROW_COUNT, after);
    if (batch.length > 0) yield batch;
    if (batch.length < EXAMPLE_BATCH_ROW_COUNT) return;
    after = batch.at(-1)?.run;
  }
}

/** An object with one field per line. A nested value is on the line of its field. */
function toJsonText({ run, example, evaluations }: RunRecord, exampleIdOf: NodeIdOf): string {
  return toLines([
    ['example_id', JSON.stringify(exampleIdOf(run.exampleRowId))],
    ['repetition_number', String(run.repetitionNumber)],
    ['input', example.input],
    ['reference_output', example.output],
    ['output', run.output],
    ['error', JSON.stringify(run.error)],
    ['latency_ms', JSON.stringify(latencyMs(run))],
    ['start_time', JSON.stringify(timeText(run.startMicros))],
    ['end_time', JSON.stringify(timeText(run.endMicros))],
    ['trace_id', JSON.stringify(run.traceId)],
    ['prompt_token_count', 'null'],
    ['completion_token_count', 'null'],
    ['annotations', toList(evaluations.map(toEvaluationText))],
  ]);
}

const toEvaluationText = (evaluation: ExperimentEvaluation): string =>
  toLines([
    ['name', JSON.stringify(evaluation.name)],
    ['annotator_kind', JSON.stringify(evaluation.annotatorKind)],
    ['label', JSON.stringify(evaluation.label)],
    ['score', JSON.stringify(evaluation.score)],
    ['explanation', JSON.stringify(evaluation.explanation)],
    ['trace_id', JSON.stringify(evaluation.traceId)],
    ['error', JSON.stringify(evaluation.error)],
    ['metadata', evaluation.metadata],
    ['start_time', JSON.stringify(timeText(evaluation.startMicros))],
    ['end_time', JSON.stringify(timeText(evaluation.endMicros))],
  ]);

const toLines = (fields: readonly (readonly [name: string, json: string])[]): string =>
  `{\n${fields.map(([name, json]) => indent(`"${name}": ${json}`)).join(',\n')}\n}`;

const toList = (items: readonly string[]): string =>
  items.length === 0 ? '[]' : `[\n${items.map(indent).join(',\n')}\n]`;

/** No JSON that we write has a line break inside a value. */
const indent = (text: string): string => text.replace(/^/gm, '  ');

const latencyMs = ({ startMicros, endMicros }: ExperimentRun): number => Number(endMicros - startMicros) / 1_000;
const timeText = (micros: bigint): string => formatUnixNano(micros * 1_000n);

const parse = (json: string): ExactJson => parseExactJson(json, { depthMax: Number.POSITIVE_INFINITY });
const asciiJson = (json: string): string => toPythonJson(parse(json), { isAscii: true });

function outputCell(json: string): string {
  const value = parse(json);
  return isJsonObject(value) ? toPythonJson(value, { isAscii: true }) : printCell(value);
}
