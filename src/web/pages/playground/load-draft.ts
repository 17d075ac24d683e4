import { isObject, type Json, type JsonObject } from '../../../semconv/read-open-inference.ts';
import { firstVariant } from '../../components/prompt/model/model-default.ts';
import { loadPrompt } from '../../components/prompt/picker/load-prompt.ts';
import { fromVersion } from '../../components/prompt/variant/from-version.ts';
import type { Variant } from '../../components/prompt/variant/variant.ts';
import { fingerprintOf } from '../../components/prompt/variant/version-input.ts';
import { toVersionContent } from '../../components/prompt/version-content.ts';
import { RequestFailure, send } from '../../data/request.ts';
import { type PlaygroundSpanData, playgroundSpan } from './generated/playground.ts';
import { loadExperiments, type RecordedRun } from './load-experiments.ts';
import { type Cell, finishedCell } from './run/cell.ts';
import { toOutput } from './run/read-runs.ts';
import { draftKey, type PlaygroundAddress } from './state/address.ts';
import { type CaseSource, newCase } from './state/cases.ts';
import { type Draft, draftOf, VARIANT_COUNT_MAX } from './state/draft.ts';
import { readSharedDraft } from './state/shared-draft.ts';
import { readDraft } from './state/stored-drafts.ts';

/** What a link opens. */
export interface LoadedDraft {
  readonly draft: Draft;
  /** Parts of a recorded call that could not be read. */
  readonly warnings: readonly string[];
  /** The recorded call of a link to a span. */
  readonly replay: ReplayedSpan | undefined;
  /** The experiments of a link, whose runs the page shows. */
  readonly recorded: readonly RecordedRun[];
  /** Example of the link, which the page scrolls to. */
  readonly exampleId?: string | undefined;
}

export interface ReplayedSpan {
  readonly name: string;
  readonly projectId: string;
  readonly traceId: string;
  /** Whether the variables were recovered by matching the template with the messages. */
  readonly isRecovered: boolean;
  /** The recorded output, in the first variant and case. */
  readonly cell: Cell;
}

/** Reads what a link names, or the newest draft of this browser. Drafts of the link take precedence over what they began with. */
export async function loadDraft(
  address: PlaygroundAddress,
  { path, search }: { readonly path: string; readonly search: URLSearchParams },
  signal: AbortSignal,
): Promise<LoadedDraft> {
  const { spanId, prompts, datasetId, splitIds, exampleId, experimentIds, isShared } = address;
  const isOfContent = prompts.length > 0 || datasetId !== undefined || experimentIds.length > 0;
  const isPlain = spanId === undefined && !isOfContent && !isShared;
  const stored = readDraft(localStorage, isPlain ? undefined : draftKey(path, search));
  if (spanId !== undefined) return loadSpan(spanId, stored, signal);
  if (experimentIds.length > 0) {
    const { draft, recorded } = await loadExperiments(experimentIds, signal);
    return { draft: stored ?? draft, warnings: [], replay: undefined, recorded, exampleId };
  }
  if (stored) return { draft: stored, warnings: [], replay: undefined, recorded: [], exampleId };
  if (isShared) {
    const draft = await readSharedDraft(window.location.hash);
    if (!draft) {
      throw new RequestFailure(
        'unopenable',
        'The link is not complete. It was cut off or changed on its way. Ask for a new one, or open the playground from the navigation.',
      );
    }
    return { draft, warnings: [], replay: undefined, recorded: [] };
  }
  const variants = await Promise.all(prompts.slice(0, VARIANT_COUNT_MAX).map((each) => loadPrompt(each, signal)));
  const source: CaseSource | undefined = datasetId === undefined ? undefined : { type: 'dataset', datasetId, splitIds };
  return {
    draft: draftOf(variants.length === 0 ? [firstVariant()] : variants, source),
    warnings: [],
    replay: undefined,
    recorded: [],
    exampleId,
  };
}

async function loadSpan(spanId: string, stored: Draft | undefined, signal: AbortSignal): Promise<LoadedDraft> {
  const { node: span } = await send(playgroundSpan, { id: spanId }, signal);
  if (span.__typename !== 'Span' || !span.replay) {
    throw new RequestFailure(
      'unopenable',
      'There is no such call. The ID does not belong to a span that calls a model.',
    );
  }
  const { replay } = span;
  const variant = variantOf(replay);
  const texts = Object.entries(replay.variables as JsonObject).map(([name, value]) => [name, toText(value)] as const);
  const draft = draftOf([variant], { type: 'typed', rows: [newCase(Object.fromEntries(texts))] });
  const cell = finishedCell(fingerprintOf(variant), {
    ...toOutput({ messages: replay.output as Json }),
    facts: {
      spanNodeId: span.id,
      traceId: span.context.traceId,
      projectId: span.project.id,
      latencyMs: span.latencyMs,
      promptTokens: span.tokenCountPrompt,
      completionTokens: span.tokenCountCompletion,
      cost: span.costSummary?.total.cost ?? null,
      runId: null,
      isCached: false,
    },
  });
  return {
    draft: stored ?? draft,
    warnings: replay.warnings.map(({ message }) => message),
    recorded: [],
    replay: {
      name: span.name,
      projectId: span.project.id,
      traceId: span.context.traceId,
      isRecovered: replay.variablesSource === 'RECOVERED',
      cell,
    },
  };
}

type RecordedCall = NonNullable<Extract<PlaygroundSpanData['node'], { readonly __typename: 'Span' }>['replay']>;

/** The template of a call if it is known, else its messages as they were sent, whose braces are no variables. */
function variantOf({ content, templateContent, connection }: RecordedCall): Variant {
  const variant = fromVersion(toVersionContent(templateContent ?? content), null, null);
  const { baseUrl, azureEndpoint, openaiApiType } = connection ?? {};
  return {
    ...variant,
    format: templateContent ? variant.format : 'NONE',
    model: {
      ...variant.model,
      ...(openaiApiType && { api: openaiApiType }),
      connection: { ...(baseUrl && { baseUrl }), ...(azureEndpoint && { azureEndpoint }) },
    },
  };
}

const toText = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, isObject(value) ? 2 : undefined);
