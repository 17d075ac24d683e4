/** Replaces a blank name, which could be neither seen nor clicked. */
export const shownName = (name: string): string => (name.trim() === '' ? '(no name)' : name);
