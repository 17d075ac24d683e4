import type { SpanAggregate, SpanGrouping, SpanMetric } from '../spans/span-metric.ts';

/** Version of the JSON of panels, also in exported files. A reader rejects versions that it does not know. */
export const DASHBOARD_VERSION = 1;

export const PANEL_KINDS = ['figure', 'series', 'list'] as const;

/** One number with its change, values over time, or groups by their values. */
export type PanelKind = (typeof PANEL_KINDS)[number];

export const PANEL_STYLES = ['lines', 'bars'] as const;

export type PanelStyle = (typeof PANEL_STYLES)[number];

/** A chart of a dashboard. Its fields are public: they are those of an exported file. */
export interface Panel {
  /** Unique within the dashboard. */
  readonly id: string;
  /** Empty: the interface describes the panel. */
  readonly title: string;
  readonly kind: PanelKind;
  readonly metric: SpanMetric;
  /** One, or several in a series without groups. */
  readonly aggregates: readonly SpanAggregate[];
  /** Name of the annotations of the metric `annotation`; else null. */
  readonly annotationName: string | null;
  /** Span filter, possibly empty. */
  readonly filter: string;
  /** Null: no groups. A list has groups, a figure has none. */
  readonly groupBy: SpanGrouping | null;
  /** Number of groups with a name. */
  readonly groupCount: number;
  /** How a series is drawn. Bars are stacked. */
  readonly style: PanelStyle;
  /** Width in columns of the grid. */
  readonly columns: number;
}

export interface DashboardFields {
  /** Unique within the project. */
  readonly name: string;
  readonly description: string;
  readonly panels: readonly Panel[];
}

/** A stored dashboard of a project, visible to all who read the project. */
export interface Dashboard extends DashboardFields {
  readonly rowId: number;
  readonly projectId: number;
  /** Grows with each save. */
  readonly revision: number;
  readonly updatedAt: Date;
  /** Who saved it last. Null without sign-in, and after the user was deleted. */
  readonly userId: number | null;
}

/** A dashboard that is delivered with the server. */
export interface BuiltInDashboard extends DashboardFields {
  /** Name in addresses, such as `overview`. */
  readonly slug: string;
}
