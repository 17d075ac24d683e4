/** Selected rows of a table, by global ID. */
export interface Selected {
  readonly traceIds: readonly string[];
  readonly spanIds: readonly string[];
  /** OpenTelemetry IDs of the traces. */
  readonly otelTraceIds: readonly string[];
}

export interface BulkDialogProps {
  readonly projectId: string;
  /** Whether rows are traces. */
  readonly isOfTraces: boolean;
  readonly selected: Selected;
  readonly onClose: () => void;
  /** Called when rows may have been deleted or changed. */
  readonly onDone: () => void;
}
