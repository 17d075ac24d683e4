import { isJsonObject } from '../../base/exact-json.ts';
import { DASHBOARD_VERSION, PANEL_KINDS, PANEL_STYLES, type Panel } from '../../model/dashboards/dashboard.ts';
import { SpandrelError } from '../../model/errors.ts';
import {
  DASHBOARD_JSON_BYTES_MAX,
  METRIC_AGGREGATE_COUNT_MAX,
  METRIC_GROUP_COUNT_MAX,
  PANEL_COLUMN_COUNT_MAX,
  PANEL_COUNT_MAX,
  PANEL_FILTER_LENGTH_MAX,
  PANEL_KEY_LENGTH_MAX,
  PANEL_TITLE_LENGTH_MAX,
} from '../../model/limits/dashboards.ts';
import {
  hasAggregate,
  SPAN_AGGREGATES,
  SPAN_GROUP_COLUMNS,
  SPAN_METRICS,
  type SpanGrouping,
  toAttributePath,
} from '../../model/spans/span-metric.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import { findCombinationIssue } from './panel-rules.ts';

const FIELDS: readonly string[] = [
  ...['id', 'title', 'kind', 'metric', 'aggregates', 'annotationName', 'filter', 'groupBy', 'groupCount'],
  ...['style', 'columns'],
];
const ID = /^[\w-]{1,40}$/;
/** Issues that one error lists. */
const ISSUE_COUNT_MAX = 20;
const RECEIVED_CHARS_MAX = 60;

/**
 * Checks the panels of a dashboard, as a file or a form supplies them. Absent optional fields get their defaults.
 *
 * @throws {SpandrelError} `DASHBOARD_INVALID`, which names the panel and the field of each problem
 */
export function parsePanels(value: unknown, version: number): Panel[] {
  if (version !== DASHBOARD_VERSION) reject(`The version must be ${DASHBOARD_VERSION}, and is ${version}`);
  if (!Array.isArray(value)) return reject(`panels must be a list, and is ${shown(value)}`);
  if (value.length > PANEL_COUNT_MAX) reject(`A dashboard has at most ${PANEL_COUNT_MAX} panels, not ${value.length}`);
  const issues: string[] = [];
  const panels = value.map((panel, index) => parsePanel(panel, index, issues));
  const ids = new Set<string>();
  for (const [index, { id }] of panels.entries()) {
    if (ids.has(id)) issues.push(`Panel ${index + 1}: id must be unique, and ${shown(id)} is used twice`);
    ids.add(id);
  }
  if (issues.length > 0) {
    const more = issues.length > ISSUE_COUNT_MAX ? [`and ${issues.length - ISSUE_COUNT_MAX} more`] : [];
    reject([...issues.slice(0, ISSUE_COUNT_MAX), ...more].join('\n'));
  }
  if (Buffer.byteLength(JSON.stringify(panels)) > DASHBOARD_JSON_BYTES_MAX) {
    reject(`The panels have at most ${DASHBOARD_JSON_BYTES_MAX} bytes of JSON`);
  }
  return panels;
}

function parsePanel(value: unknown, index: number, issues: string[]): Panel {
  const title = isJsonObject(value) && typeof value.title === 'string' ? value.title : '';
  const label = `Panel ${index + 1}${title === '' ? '' : ` (${shown(title)})`}`;
  const add = (field: string, expected: string, received: unknown) =>
    issues.push(`${label}: ${field} must be ${expected}, and is ${shown(received)}`);
  if (!isJsonObject(value)) {
    issues.push(`${label} must be an object, and is ${shown(value)}`);
    return EMPTY_PANEL;
  }
  for (const name of Object.keys(value)) {
    if (!FIELDS.includes(name)) issues.push(`${label}: ${shown(name)} is not a field of a panel`);
  }
  const received = (field: string): unknown => (Object.hasOwn(value, field) ? value[field] : undefined);
  const text = (field: string, lengthMax: number, fallback = ''): string => {
    const found = received(field) ?? fallback;
    if (typeof found === 'string' && found.length <= lengthMax) return found;
    add(field, `a string of at most ${lengthMax} characters`, found);
    return fallback;
  };
  const choice = <Value extends string>(field: string, values: readonly Value[], fallback?: Value): Value => {
    const found = received(field) ?? fallback;
    if (values.includes(found as Value)) return found as Value;
    add(field, `one of ${values.join(', ')}`, found);
    return fallback ?? (values[0] as Value);
  };
  const integer = (field: string, max: number, fallback: number): number => {
    const found = received(field) ?? fallback;
    if (Number.isInteger(found) && Number(found) >= 1 && Number(found) <= max) return Number(found);
    add(field, `an integer from 1 to ${max}`, found);
    return fallback;
  };
  const issueCount = issues.length;
  const kind = choice('kind', PANEL_KINDS);
  const metric = choice('metric', SPAN_METRICS);
  const annotationName = text('annotationName', PANEL_KEY_LENGTH_MAX);
  const panel: Panel = {
    id: text('id', 40, `panel-${index + 1}`),
    title: text('title', PANEL_TITLE_LENGTH_MAX),
    kind,
    metric,
    aggregates: toAggregates(received('aggregates'), add),
    annotationName: annotationName === '' ? null : annotationName,
    filter: text('filter', PANEL_FILTER_LENGTH_MAX),
    groupBy: toGrouping(received('groupBy') ?? null, add),
    groupCount: integer('groupCount', METRIC_GROUP_COUNT_MAX, 8),
    style: choice('style', PANEL_STYLES, 'lines'),
    columns: integer('columns', PANEL_COLUMN_COUNT_MAX, kind === 'figure' ? 1 : 2),
  };
  if (!ID.test(panel.id)) add('id', 'of 1 to 40 letters, digits, _ or -', panel.id);
  try {
    parseSpanFilter(panel.filter);
  } catch (error) {
    issues.push(`${label}: filter is not valid: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (issues.length > issueCount) return panel;
  for (const aggregate of panel.aggregates) {
    if (!hasAggregate(metric, aggregate)) add('aggregates', `a valid aggregate of ${metric}`, aggregate);
  }
  const issue = findCombinationIssue(panel);
  if (issue !== undefined) issues.push(`${label}: ${issue}`);
  return panel;
}

type AddIssue = (field: string, expected: string, received: unknown) => void;

function toAggregates(value: unknown, add: AddIssue): Panel['aggregates'] {
  const list = Array.isArray(value) ? value : [];
  const isValid =
    list.length >= 1 &&
    list.length <= METRIC_AGGREGATE_COUNT_MAX &&
    new Set(list).size === list.length &&
    list.every((each) => SPAN_AGGREGATES.includes(each));
  if (isValid) return list;
  add(
    'aggregates',
    `a list of 1 to ${METRIC_AGGREGATE_COUNT_MAX} different ones of ${SPAN_AGGREGATES.join(', ')}`,
    value,
  );
  return ['count'];
}

function toGrouping(value: unknown, add: AddIssue): SpanGrouping | null {
  if (value === null) return null;
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  const [[name, key] = []] = entries;
  if (entries.length === 1 && name === 'column' && (SPAN_GROUP_COLUMNS as readonly unknown[]).includes(key)) {
    return { column: key as (typeof SPAN_GROUP_COLUMNS)[number] };
  }
  if (entries.length === 1 && name === 'attribute' && typeof key === 'string' && key.length <= PANEL_KEY_LENGTH_MAX) {
    if (toAttributePath(key)) return { attribute: key };
  }
  const columns = SPAN_GROUP_COLUMNS.join(', ');
  add('groupBy', `null, {"column": one of ${columns}} or {"attribute": a key such as "metadata.tenant"}`, value);
  return null;
}

const EMPTY_PANEL: Panel = {
  ...({ id: '', title: '', kind: 'figure', metric: 'spans', aggregates: ['count'], annotationName: null } as const),
  ...({ filter: '', groupBy: null, groupCount: 1, style: 'lines', columns: 1 } as const),
};

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > RECEIVED_CHARS_MAX ? `${text.slice(0, RECEIVED_CHARS_MAX)}…` : text;
}

const reject = (message: string): never => {
  throw new SpandrelError('DASHBOARD_INVALID', message);
};
