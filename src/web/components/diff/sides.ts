/** Names of the two sides of a difference. */
export interface SideLabels {
  readonly left: string;
  readonly right: string;
}

export const SIDE_LABELS: SideLabels = { left: 'A', right: 'B' };
