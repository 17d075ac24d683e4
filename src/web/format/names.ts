/** A name as it is shown: one of nothing but white space could neither be seen nor clicked. */
export const shownName = (name: string): string => (name.trim() === '' ? '(no name)' : name);
