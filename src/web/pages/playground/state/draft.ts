import { isObject, type Json } from '../../../../semconv/read-open-inference.ts';
import {
  copyVariant,
  isProvider,
  moveItem,
  newVariant,
  type Variant,
} from '../../../components/prompt/variant/variant.ts';
import { type CaseSource, newCase, type TypedCase, withText } from './cases.ts';

/** Everything that the user has set in the playground. It survives a reload. */
export interface Draft {
  readonly variants: readonly Variant[];
  /** The variant with which the others are compared. */
  readonly pinnedId: string;
  readonly source: CaseSource;
  readonly settings: RunSettings;
}

export interface RunSettings {
  /** Runs of each cell. */
  readonly repetitions: number;
  readonly isStreamed: boolean;
  /** Path to the variables in an example. */
  readonly variablesPath: string;
  /** Path in the input of an example to messages that follow those of the prompt. Empty for none. */
  readonly messagesPath: string;
  readonly concurrency: number;
  /** Whether runs over a dataset are kept as experiments. */
  readonly isRecorded: boolean;
  /** Responses of earlier runs over the dataset may be used. */
  readonly usesCache?: boolean;
  /** Evaluators of the dataset, by ID. */
  readonly evaluatorIds: readonly string[];
  /** Maximums of each variant in a run. Absent: no limit. */
  readonly budget?: RunBudget;
}

export interface RunBudget {
  /** Calls of models, by the task and its evaluators. */
  readonly maxCalls?: number;
  /** US dollars. */
  readonly maxCost?: number;
}

export const VARIANT_COUNT_MAX = 8;
export const REPETITION_COUNT_MAX = 30;
export const TYPED_CASE_COUNT_MAX = 1_000;

const SETTINGS: RunSettings = {
  repetitions: 1,
  isStreamed: true,
  variablesPath: 'input',
  messagesPath: '',
  concurrency: 10,
  isRecorded: true,
  evaluatorIds: [],
};

export const draftOf = (variants: readonly Variant[], source?: CaseSource, settings?: Partial<RunSettings>): Draft => ({
  variants,
  pinnedId: variants[0]!.id,
  source: source ?? { type: 'typed', rows: [newCase()] },
  settings: { ...SETTINGS, ...settings },
});

export const newDraft = (): Draft => draftOf([newVariant()]);

export type DraftChange =
  | { readonly type: 'replace'; readonly draft: Draft }
  /** Inserts the copy after the variant. */
  | { readonly type: 'copyVariant'; readonly id: string }
  | { readonly type: 'removeVariant'; readonly id: string }
  | { readonly type: 'moveVariant'; readonly id: string; readonly to: number }
  | { readonly type: 'setVariant'; readonly id: string; readonly variant: Variant }
  | { readonly type: 'pin'; readonly id: string }
  | { readonly type: 'setSource'; readonly source: CaseSource }
  | { readonly type: 'addCase'; readonly texts?: Readonly<Record<string, string>> }
  | { readonly type: 'removeCase'; readonly id: string }
  | { readonly type: 'setText'; readonly id: string; readonly name: string; readonly text: string }
  | { readonly type: 'set'; readonly settings: Partial<RunSettings> };

export function changeDraft(draft: Draft, change: DraftChange): Draft {
  switch (change.type) {
    case 'replace':
      return change.draft;
    case 'copyVariant': {
      const index = draft.variants.findIndex(({ id }) => id === change.id);
      if (index < 0 || draft.variants.length >= VARIANT_COUNT_MAX) return draft;
      return { ...draft, variants: draft.variants.toSpliced(index + 1, 0, copyVariant(draft.variants[index]!)) };
    }
    case 'removeVariant': {
      const variants = draft.variants.filter(({ id }) => id !== change.id);
      if (variants.length === 0) return draft;
      const pinnedId = variants.some(({ id }) => id === draft.pinnedId) ? draft.pinnedId : variants[0]!.id;
      return { ...draft, variants, pinnedId };
    }
    case 'moveVariant':
      return { ...draft, variants: moveItem(draft.variants, change.id, change.to) };
    case 'setVariant':
      return { ...draft, variants: draft.variants.map((each) => (each.id === change.id ? change.variant : each)) };
    case 'pin':
      return { ...draft, pinnedId: change.id };
    case 'setSource':
      return { ...draft, source: change.source };
    case 'set':
      return { ...draft, settings: { ...draft.settings, ...change.settings } };
    default:
      return draft.source.type === 'typed'
        ? { ...draft, source: { type: 'typed', rows: changeRows(draft.source.rows, change) } }
        : draft;
  }
}

type RowChange = Extract<DraftChange, { readonly type: 'addCase' | 'removeCase' | 'setText' }>;

function changeRows(rows: readonly TypedCase[], change: RowChange): readonly TypedCase[] {
  switch (change.type) {
    case 'addCase':
      return rows.length >= TYPED_CASE_COUNT_MAX ? rows : [...rows, newCase(change.texts)];
    case 'removeCase':
      return rows.length === 1 ? [newCase()] : rows.filter(({ id }) => id !== change.id);
    case 'setText':
      return rows.map((row) => (row.id === change.id ? withText(row, change.name, change.text) : row));
  }
}

/** Whether a value that this browser has stored is a draft. An older version of the interface may have written it. */
export function isDraft(value: unknown): value is Draft {
  const draft = value as Json;
  if (!isObject(draft) || !Array.isArray(draft.variants) || draft.variants.length === 0) return false;
  const { source, settings } = draft;
  return (
    typeof draft.pinnedId === 'string' &&
    draft.variants.length <= VARIANT_COUNT_MAX &&
    draft.variants.every(isVariant) &&
    isSource(source) &&
    isObject(settings) &&
    isBudget(settings.budget) &&
    (settings.usesCache === undefined || typeof settings.usesCache === 'boolean') &&
    hasTypes(new Map(Object.entries(settings)))
  );
}

/** Whether each setting has the type of its default. */
const hasTypes = (settings: ReadonlyMap<string, Json>): boolean =>
  Object.entries(SETTINGS).every(([name, each]) => typeof settings.get(name) === typeof each);

const isBudget = (value: Json | undefined): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every((each) => typeof each === 'number'));

const isVariant = (value: Json): boolean =>
  isObject(value) &&
  typeof value.id === 'string' &&
  Array.isArray(value.messages) &&
  value.messages.every((message) => isObject(message) && Array.isArray(message.parts)) &&
  Array.isArray(value.tools) &&
  isObject(value.parameters) &&
  isObject(value.toolChoice) &&
  isObject(value.model) &&
  isProvider(value.model.provider) &&
  isObject(value.model.connection);

function isSource(source: Json | undefined): boolean {
  if (!isObject(source)) return false;
  if (source.type === 'typed') {
    return Array.isArray(source.rows) && source.rows.every((row) => isObject(row) && isObject(row.texts));
  }
  if (source.type === 'dataset') return typeof source.datasetId === 'string' && Array.isArray(source.splitIds);
  return source.type === 'spans' && typeof source.projectId === 'string' && typeof source.filter === 'string';
}
