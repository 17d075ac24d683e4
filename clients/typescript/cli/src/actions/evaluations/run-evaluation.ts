import type { SpandrelClient } from '@spandrel/client';
import { type EvaluatorBase, type EvaluatorSummary, openModel } from '@spandrel/evals';
import { chooseSpans, evaluateSpans, openJudgeTracer, type SpansSummary } from '@spandrel/evals/server';
import { type Action, CommandError, type Invocation, UsageError } from '../../command-line/command.ts';
import { EXIT } from '../../exit-codes.ts';
import { toLine } from '../../output/text.ts';
import { findProjectId } from '../find.ts';
import { noteFilterWarnings } from '../note-filter-warnings.ts';
import { buildEvaluators, needsModel } from './build-evaluators.ts';
import { type EvaluationFile, readEvaluationFile } from './evaluation-file.ts';
import { showRunProgress } from './run-progress.ts';
import { readWatermark, writeWatermark } from './watermark.ts';

/** Characters of an error that stand in the line of its evaluator. */
const ERROR_LENGTH_MAX = 300;

/** Evaluates the spans that a file describes and annotates them. Returns 1 when an evaluation failed or the run stopped. */
export const runEvaluation: Action = async (invocation) => {
  const { client, argument, isSet, out, settings, signal } = invocation;
  const path = argument(0);
  const file = readEvaluationFile(path);
  const project = settings.project ?? file.project;
  if (project === undefined) throw new UsageError(`${path}: project is missing. Add it, or pass --project <name>.`);
  const server = await client();
  const isDryRun = isSet('dry-run');
  const { tracer, evaluators } = openEvaluators(file, server, `${project}-judges`, isDryRun);
  const sinceLast = isSet('since-last') ? readWatermark(path) : undefined;
  out.progress(`Reading the spans of ${project}`);
  const projectId = await findProjectId(server, project, signal);
  if (file.filter !== undefined) await noteFilterWarnings(server, projectId, file.filter, out, signal);
  const selection = {
    client: server,
    project: projectId,
    signal,
    evaluators,
    identifier: file.name,
    rootSpansOnly: file.rootSpansOnly,
    skipAnnotated: isSet('since-last'),
    ...(file.filter !== undefined && { filter: file.filter }),
    ...(file.sample !== undefined && { sample: file.sample }),
    ...limitOf(invocation, file),
    ...(sinceLast && { startTime: sinceLast }),
  };
  if (isDryRun) {
    await dryRun(invocation, selection, evaluators);
    return EXIT.ok;
  }
  const summary = await evaluateSpans({
    ...selection,
    ...(file.concurrency !== undefined && { concurrency: file.concurrency }),
    ...(file.maxCost !== undefined && { maxCost: file.maxCost }),
    ...(file.cache !== undefined && { cache: file.cache }),
    onProgress: showRunProgress(out, selection),
  });
  const lostSpanCount = (await tracer?.close()) ?? 0;
  if (lostSpanCount > 0)
    out.note(`${lostSpanCount} spans of judges were not stored. Their annotations link to traces that are not there.`);
  if (signal.aborted) throw new CommandError('Cancelled. Annotations of finished spans are stored.', EXIT.cancelled);
  if (isSet('since-last') && summary.newestStartTimeMs !== undefined && !summary.stopReason)
    writeWatermark(path, summary.newestStartTimeMs);
  await out.item(summary, () => toText(summary, evaluators));
  const hasErrors = Object.values(summary.evaluators).some(({ errorCount }) => errorCount > 0);
  return hasErrors || summary.stopReason ? EXIT.failure : EXIT.ok;
};

function openEvaluators(file: EvaluationFile, client: SpandrelClient, defaultProject: string, isDryRun: boolean) {
  if (!needsModel(file)) return { tracer: undefined, evaluators: buildEvaluators(file, undefined, undefined) };
  if (!file.model) throw new UsageError('Judges need a model: add model with provider and name to the file.');
  const { provider, name, baseUrl } = file.model;
  const opened = openFileModel({
    ...{ provider, model: name, ...(baseUrl !== undefined && { baseUrl }) },
    // A dry run calls no model, so it needs no key.
    ...(isDryRun && { apiKey: 'unused' }),
  });
  const tracer =
    isDryRun || file.judgesProject === null
      ? undefined
      : openJudgeTracer({ client, project: file.judgesProject ?? defaultProject });
  const model = tracer ? tracer.traceModel(opened) : opened;
  const telemetry = tracer ? { tracer: tracer.tracer } : { isEnabled: false };
  return { tracer, evaluators: buildEvaluators(file, model, telemetry) };
}

function openFileModel(options: {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}) {
  try {
    return openModel(options as Parameters<typeof openModel>[0]);
  } catch (error) {
    throw new UsageError(`model: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function limitOf({ number }: Invocation, { limit }: EvaluationFile): { limit?: number } {
  const found = number('limit') ?? limit;
  return found === undefined ? {} : { limit: found };
}

async function dryRun(
  { out }: Invocation,
  selection: Parameters<typeof chooseSpans>[0],
  evaluators: readonly EvaluatorBase[],
): Promise<void> {
  const { rows, counts } = chooseSpans(selection);
  for await (const _ of rows) out.progress(`${counts.chosen} spans`);
  const names = evaluators.map(({ name }) => name);
  const document = { spanCount: counts.chosen, skippedCount: counts.skipped, evaluators: names };
  const shown = [...counts.chosenFor]
    .filter(([, count]) => count > 0 || counts.chosen === 0)
    .map(([name, count]) => (count === counts.chosen ? name : `${name} (${count})`));
  await out.item(
    document,
    () =>
      `${counts.chosen} spans would be evaluated by ${shown.join(', ')}; ${counts.skipped} are annotated already. Nothing was sent to a model.`,
  );
}

function toText(summary: SpansSummary, evaluators: readonly EvaluatorBase[]): string {
  const { rowCount, skippedCount, annotationCount, calls, seconds, stopReason, error } = summary;
  const lines = evaluators.map(({ name }) => `${name}: ${describe(summary.evaluators[name])}`);
  return [
    `${rowCount} spans, ${skippedCount} left out because they are annotated, ${annotationCount} annotations in ${seconds.toFixed(1)} s.`,
    ...lines,
    `${calls.requestCount} requests, ${calls.inputTokens + calls.outputTokens} tokens, $${calls.cost.toFixed(4)}${calls.unpricedCount > 0 ? ` (${calls.unpricedCount} calls have no known price)` : ''}.`,
    ...(stopReason ? [`Stopped (${stopReason}): ${error ?? ''}`] : []),
  ].join('\n');
}

function describe(summary: EvaluatorSummary | undefined): string {
  if (!summary) return 'nothing';
  const { count, meanScore, labels, errorCount, labelErrorCount, firstError, notRunCount } = summary;
  const shown = Object.entries(labels)
    .slice(0, 5)
    .map(([label, number]) => `${label} ${number}`);
  return [
    `${count} results`,
    ...(meanScore === undefined ? [] : [`mean ${meanScore.toFixed(3)}`]),
    ...(shown.length > 0 ? [shown.join(', ')] : []),
    ...(errorCount > 0 ? [`${errorCount} errors, ${labelErrorCount} of them labels outside of the choices`] : []),
    ...(firstError === undefined ? [] : [`the first error: ${toLine(firstError, ERROR_LENGTH_MAX)}`]),
    ...(notRunCount > 0 ? [`${notRunCount} did not run`] : []),
  ].join('; ');
}
