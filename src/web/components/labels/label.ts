/** A label of datasets or prompts, or a split of examples. */
export interface Label {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** Colors of splits and prompt labels may be any text, or absent. */
  readonly color: string | null;
  /** Number of datasets or prompts that have the label. Absent for splits. */
  readonly usageCount?: number;
}

export interface LabelFields {
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
}

/** Difference to the labels that an object had. */
export interface LabelChange {
  /** All labels of the object after the change. */
  readonly ids: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}
