import type { Label, LabelChange } from './label.ts';

/** Whether the chosen objects have a label: all of them, some of them, or none. */
export type LabelState = 'all' | 'some' | 'none';

/** Labels of the objects before the change. `some` only occurs for several objects. */
export interface ChosenLabels {
  readonly all: ReadonlySet<string>;
  readonly some?: ReadonlySet<string>;
}

/** States that the user chose, by label ID. */
export type LabelDraft = ReadonlyMap<string, 'all' | 'none'>;

export const stateBefore = ({ all, some }: ChosenLabels, id: string): LabelState =>
  all.has(id) ? 'all' : some?.has(id) ? 'some' : 'none';

export const stateOf = (chosen: ChosenLabels, draft: LabelDraft, id: string): LabelState =>
  draft.get(id) ?? stateBefore(chosen, id);

/** A label that some objects have is given to all of them first, then to none, then left as it was. */
export function toggleLabel(chosen: ChosenLabels, draft: LabelDraft, id: string): LabelDraft {
  const before = stateBefore(chosen, id);
  const at = stateOf(chosen, draft, id);
  const next: LabelState = at === 'some' ? 'all' : at === 'none' ? (before === 'some' ? 'some' : 'all') : 'none';
  const changed = new Map(draft);
  if (next === before || next === 'some') changed.delete(id);
  else changed.set(id, next);
  return changed;
}

export function toLabelChange(chosen: ChosenLabels, draft: LabelDraft): LabelChange {
  const added = [...draft].filter(([, state]) => state === 'all').map(([id]) => id);
  const removed = [...draft].filter(([, state]) => state === 'none').map(([id]) => id);
  const ids = [...[...chosen.all].filter((id) => !removed.includes(id)), ...added];
  return { ids, added, removed };
}

/** Labels whose name or description contains the text, by name. */
export function findLabels(labels: readonly Label[], text: string): readonly Label[] {
  const searchText = text.trim().toLowerCase();
  return labels.filter(({ name, description }) => `${name} ${description ?? ''}`.toLowerCase().includes(searchText));
}
