import './gradient.css';

/** Start and end of a project's colours. */
export type Gradient = readonly [start: string, end: string];

interface Colours {
  readonly gradientStartColor: string;
  readonly gradientEndColor: string;
}

/** A project's own colours. */
export function Disc({ project: { gradientStartColor, gradientEndColor } }: { readonly project: Colours }) {
  return (
    <span
      className="disc"
      aria-hidden="true"
      style={{ backgroundImage: paint([gradientStartColor, gradientEndColor]) }}
    />
  );
}

export const paint = ([start, end]: Gradient): string => `linear-gradient(135deg, ${color(start)}, ${color(end)})`;

/** Colours come from outside, and only colours go into a style. */
const color = (text: string): string => (/^#[0-9a-f]{3,8}$/i.test(text) ? text : '#9c8f7c');
