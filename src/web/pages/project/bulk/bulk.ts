/** What is selected in a table; global IDs. */
export interface Selected {
  readonly traceIds: readonly string[];
  readonly spanIds: readonly string[];
  /** OpenTelemetry ids of the traces. */
  readonly otelTraceIds: readonly string[];
}

export interface BulkDialogProps {
  readonly projectId: string;
  /** Whether rows are traces. */
  readonly isOfTraces: boolean;
  readonly selected: Selected;
  readonly onClose: () => void;
  /** The rows may have gone or changed. */
  readonly onDone: () => void;
}
