/** Maximum number of experiments of a comparison, the baseline included. The server has the same limit. */
export const EXPERIMENT_COUNT_MAX = 8;

export const VIEWS = ['metrics', 'grid', 'list'] as const;
export type View = (typeof VIEWS)[number];

export const CONTENTS = ['text', 'json', 'diff'] as const;
/** How the grid shows outputs. */
export type Content = (typeof CONTENTS)[number];

/** Filter of the rows of a comparison. */
export interface RowFilter {
  /** Key of a measure. */
  readonly regressedOn: string | undefined;
  readonly improvedOn: string | undefined;
  /** Name of a score. */
  readonly disagreeOn: string | undefined;
  /** Experiment that the filter concerns. Undefined: any of them. */
  readonly experimentId: string | undefined;
  readonly hasError: boolean;
  readonly isMissing: boolean;
  readonly slowerThanMs: number | undefined;
  readonly condition: string;
  readonly text: string;
}

export interface RowSort {
  /** Key of a measure, or `position` for the order of the dataset. */
  readonly by: string;
  /** `asc`: the worst first, for each direction of the measure. */
  readonly order: 'asc' | 'desc';
  /** Experiment whose difference to the baseline sorts the rows. Undefined: the worst of all. */
  readonly experimentId: string | undefined;
}

/** State of the page, as its address has it. */
export interface ComparisonAddress {
  /** The first one is the baseline. */
  readonly experimentIds: readonly string[];
  /** Undefined if the address has an unknown one. */
  readonly view: View | undefined;
  readonly filter: RowFilter;
  readonly sort: RowSort | undefined;
  readonly splitIds: readonly string[];
  /** Metadata key by which the summary groups the examples. */
  readonly groupKey: string | undefined;
  readonly content: Content;
  /** Columns whose visibility differs from the default. */
  readonly flipped: readonly string[];
  /** Example that is open side by side. */
  readonly exampleId: string | undefined;
  /** Experiments whose runs of the open example are hidden. */
  readonly hiddenIds: readonly string[];
  /** Shown run of the open example by experiment, from 0. Others show their first one. */
  readonly runIndexes: ReadonlyMap<string, number>;
}

/** Reads the state of the page. `experimentId` is the name in links of clients. */
export function readAddress(search: URLSearchParams): ComparisonAddress {
  const given = [...search.getAll('experiment'), ...search.getAll('experimentId')].filter((id) => id !== '');
  const view = search.get('view') ?? 'grid';
  const content = search.get('cells');
  const by = search.get('sort');
  const slowerThanMs = Number(search.get('slowerThanMs') ?? Number.NaN);
  const text = (name: string) => search.get(name) || undefined;
  return {
    experimentIds: [...new Set(given)],
    view: VIEWS.find((each) => each === (view === 'summary' ? 'metrics' : view)),
    filter: {
      regressedOn: text('regressedOn'),
      improvedOn: text('improvedOn'),
      disagreeOn: text('disagreeOn'),
      experimentId: text('of'),
      hasError: search.get('hasError') === 'true',
      isMissing: search.get('isMissing') === 'true',
      slowerThanMs: Number.isFinite(slowerThanMs) && slowerThanMs >= 0 ? slowerThanMs : undefined,
      condition: search.get('runFilterCondition') ?? '',
      text: search.get('search') ?? '',
    },
    sort: by ? { by, order: search.get('order') === 'desc' ? 'desc' : 'asc', experimentId: text('sortOf') } : undefined,
    splitIds: search.getAll('splitId').filter((id) => id !== ''),
    groupKey: text('groupKey'),
    content: CONTENTS.find((each) => each === content) ?? 'text',
    flipped: search.getAll('column'),
    exampleId: text('exampleId'),
    hiddenIds: (search.get('hidden') ?? '').split(',').filter((id) => id !== ''),
    runIndexes: readRunIndexes(search.get('repetitions') ?? ''),
  };
}

/** Reads `experiment:repetition` pairs, separated by commas. Repetitions count from 1. */
function readRunIndexes(text: string): ReadonlyMap<string, number> {
  const pairs = text.split(',').map((pair) => /^(.+):(\d{1,9})$/.exec(pair));
  return new Map(pairs.flatMap((found) => (found && found[2] !== '0' ? [[found[1]!, Number(found[2]) - 1]] : [])));
}

/** Value of `repetitions`, without experiments that show their first run. Null if all do. */
export function writeRunIndexes(indexes: ReadonlyMap<string, number>): string | null {
  const pairs = [...indexes].filter(([, index]) => index > 0).map(([id, index]) => `${id}:${index + 1}`);
  return pairs.join(',') || null;
}

/** A query in which the parameter of clients has the name of this page. Undefined if nothing has to change. */
export function withOwnNames(search: URLSearchParams): URLSearchParams | undefined {
  if (!search.has('experimentId')) return undefined;
  const { experimentIds } = readAddress(search);
  const own = new URLSearchParams(search);
  own.delete('experimentId');
  return withAll(own, 'experiment', experimentIds);
}

/** A query with these values of a repeated parameter, in order. */
export function withAll(search: URLSearchParams, name: string, values: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(name);
  for (const value of values) next.append(name, value);
  return next;
}

/** Parameters that name an experiment, which a query without that experiment must not have. */
const OF_EXPERIMENT = ['of', 'sortOf'] as const;

/** A query with other experiments. What concerned only a removed one is removed, too. */
export function withExperiments(search: URLSearchParams, experimentIds: readonly string[]): URLSearchParams {
  const next = withAll(search, 'experiment', experimentIds);
  for (const name of OF_EXPERIMENT) {
    const id = next.get(name);
    if (id !== null && !experimentIds.includes(id)) next.delete(name);
  }
  return next;
}

/** What the summary of the comparison concerns, as the server accepts it. */
export const toComparisonInput = ({
  experimentIds,
  splitIds,
  groupKey,
}: Pick<ComparisonAddress, 'experimentIds' | 'splitIds' | 'groupKey'>) => ({
  experimentIds,
  ...(splitIds.length === 0 ? {} : { splitIds }),
  ...(groupKey === undefined ? {} : { metadataKey: groupKey }),
});

/** Filter as the server accepts it. Undefined without any condition. */
export function toFilterInput(filter: RowFilter) {
  const { regressedOn, improvedOn, disagreeOn, experimentId, hasError, isMissing, slowerThanMs } = filter;
  const input = {
    ...(regressedOn === undefined ? {} : { regressedOn }),
    ...(improvedOn === undefined ? {} : { improvedOn }),
    ...(disagreeOn === undefined ? {} : { disagreeOn }),
    ...(hasError ? { hasError } : {}),
    ...(isMissing ? { isMissing } : {}),
    ...(slowerThanMs === undefined ? {} : { slowerThanMs }),
    ...(filter.condition.trim() === '' ? {} : { condition: filter.condition }),
    ...(filter.text.trim() === '' ? {} : { text: filter.text }),
  };
  if (Object.keys(input).length === 0) return undefined;
  return { ...input, ...(experimentId === undefined ? {} : { experimentId }) };
}
