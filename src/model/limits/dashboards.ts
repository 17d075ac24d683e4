// Limits of dashboards and of the read of their panels.

/** Dashboards of one project, besides the built-in ones. A list shows all of them. */
export const DASHBOARD_COUNT_MAX = 100;
export const DASHBOARD_NAME_LENGTH_MAX = 100;
export const DASHBOARD_DESCRIPTION_LENGTH_MAX = 2_000;
/** Panels of one dashboard. Each is one or two reads when it is in view. */
export const PANEL_COUNT_MAX = 40;
export const PANEL_TITLE_LENGTH_MAX = 120;
/** Characters of the filter of a panel. */
export const PANEL_FILTER_LENGTH_MAX = 10_000;
/** Characters of an attribute key and of the name of an annotation. */
export const PANEL_KEY_LENGTH_MAX = 500;
/** Columns of the grid. */
export const PANEL_COLUMN_COUNT_MAX = 4;
/** Bytes of the JSON of a dashboard's panels: as many panels with long filters as a person writes by hand. */
export const DASHBOARD_JSON_BYTES_MAX = 256 * 1_024;
/** Groups of one panel. All others are one more group. */
export const METRIC_GROUP_COUNT_MAX = 50;
/** Aggregates of one panel, such as the percentiles of a chart. */
export const METRIC_AGGREGATE_COUNT_MAX = 4;
/** Bins of one series. A panel is at most 1,500 pixels wide. */
export const METRIC_BIN_COUNT_MAX = 1_000;
/** Characters of the name of a group. Longer ones are cut, and equal beginnings are one group. */
export const METRIC_GROUP_CHARS_MAX = 200;
