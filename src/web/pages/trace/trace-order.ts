/** The list that a trace or session was opened from: what J and K step through, and where Escape leads. */
interface OpenedFrom {
  /** Paths of the interface, in the order of the list. */
  readonly places: readonly string[];
  /** As the browser has it. */
  readonly back: string;
}

let openedFrom: OpenedFrom | undefined;

export function setTraceOrder(places: readonly string[], back: string): void {
  openedFrom = { places: [...new Set(places)], back };
}

/** The place so many steps away; undefined at an end, and when it was opened without a list. */
export function neighbourOf(path: string, step: 1 | -1): string | undefined {
  const places = openedFrom?.places ?? [];
  const index = places.findIndex((place) => place.split('?', 1)[0] === path);
  return index < 0 ? undefined : places[index + step];
}

export const placeBefore = (): string | undefined => openedFrom?.back;
