import { type Gradient, paint } from './Disc.tsx';

export const GRADIENTS: readonly Gradient[] = [
  ['#5bdbff', '#1c76fc'],
  ['#8bd4a8', '#1f7a5c'],
  ['#ffd07a', '#d9730d'],
  ['#ff9f8f', '#c93a4b'],
  ['#f2a8dc', '#a3388f'],
  ['#b9a6ff', '#5a3fd1'],
  ['#8fd8d2', '#17736f'],
  ['#e6c58f', '#8f5a17'],
  ['#b8c1cc', '#4c5866'],
  ['#c9dd7d', '#6b8a12'],
  ['#9cc3f7', '#33539e'],
  ['#f4b6a0', '#9c4a2a'],
];

interface GradientFieldProps {
  /** One of `GRADIENTS`, or colors that a client has set. */
  readonly value: Gradient;
  readonly onChange: (value: Gradient) => void;
}

export function GradientField({ value, onChange }: GradientFieldProps) {
  return (
    <fieldset className="gradients">
      <legend>Color</legend>
      {GRADIENTS.map((gradient, index) => (
        <label key={gradient[0]} style={{ backgroundImage: paint(gradient) }}>
          <input
            type="radio"
            name="gradient"
            className="visually-hidden"
            aria-label={`Color ${index + 1}`}
            checked={value.join().toLowerCase() === gradient.join()}
            onChange={() => onChange(gradient)}
          />
        </label>
      ))}
    </fieldset>
  );
}
