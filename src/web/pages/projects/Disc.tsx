import './gradient.css';

/** First and last color of a project's gradient. */
export type Gradient = readonly [start: string, end: string];

interface GradientColors {
  readonly gradientStartColor: string;
  readonly gradientEndColor: string;
}

/** Disc in the colors of a project. */
export function Disc({ project: { gradientStartColor, gradientEndColor } }: { readonly project: GradientColors }) {
  return (
    <span
      className="disc"
      aria-hidden="true"
      style={{ backgroundImage: paint([gradientStartColor, gradientEndColor]) }}
    />
  );
}

export const paint = ([start, end]: Gradient): string => `linear-gradient(135deg, ${color(start)}, ${color(end)})`;

/** Clients set the colors, so only valid colors become part of a style. */
const color = (text: string): string => (/^#[0-9a-f]{3,8}$/i.test(text) ? text : '#9c8f7c');
