import { addCondition, attributeField, quote, writeCondition } from '../../components/filter/write-condition.ts';
import { rowsPath } from '../metrics/rows-path.ts';
import { GROUP_COLUMNS, type Panel } from './panel.ts';

/** Length at which the server cuts the names of groups. */
const NAME_CHARS_MAX = 200;

interface Range {
  readonly from?: number;
  readonly to?: number;
}

/** Address of the table with the spans (or traces) of a panel. */
export function spansPath(projectId: string, panel: Panel, { from, to }: Range = {}): string {
  const range = from === undefined || to === undefined ? {} : { from, to };
  const { metric, aggregates } = panel;
  const sort =
    aggregates[0] === 'count'
      ? undefined
      : metric === 'cost'
        ? 'tokenCostTotal:desc'
        : metric === 'latency'
          ? 'latencyMs:desc'
          : undefined;
  const filter = filterOf(panel);
  return rowsPath(projectId, {
    tab: metric === 'traces' ? 'traces' : 'spans',
    ...(filter === '' ? {} : { filter }),
    ...(sort === undefined ? {} : { sort }),
    ...range,
  });
}

/** Filter of the spans that a panel counts. */
function filterOf({ metric, filter, annotationName }: Panel): string {
  if (metric === 'errors') return addCondition(filter, "status_code == 'ERROR'");
  if (metric === 'annotation' && annotationName) return addCondition(filter, `annotations[${quote(annotationName)}]`);
  return filter;
}

/** Address of the spans of a group, or of its trace. */
export function groupPath(projectId: string, panel: Panel, name: string, traceId: string | undefined): string {
  if (traceId !== undefined) return `/projects/${encodeURIComponent(projectId)}/traces/${traceId}`;
  const condition = groupCondition(panel, name);
  if (condition === undefined) return spansPath(projectId, panel);
  return spansPath(projectId, { ...panel, filter: addCondition(panel.filter, condition) });
}

function groupCondition({ groupBy }: Panel, name: string): string | undefined {
  if (!groupBy || name.length >= NAME_CHARS_MAX) return undefined;
  if ('attribute' in groupBy) {
    const [first, ...rest] = groupBy.attribute.split('.');
    const field =
      first === 'metadata'
        ? `metadata${rest.map((key) => `[${quote(key)}]`).join('')}`
        : attributeField([first!, ...rest]);
    return writeCondition({ field, value: name }, false);
  }
  if (groupBy.column === 'annotation') return `annotations[${quote(name)}]`;
  const { field } = GROUP_COLUMNS[groupBy.column];
  return field === undefined ? undefined : writeCondition({ field, value: name }, false);
}
