import { Link } from '../../router/Link.tsx';
import './tags.css';

interface TagChipProps {
  readonly name: string;
  /** Address of the version that the tag names. Absent on the page of that version. */
  readonly to?: string;
}

/** A tag of a version. Its name consists of letters, digits, dashes and underscores. */
export function TagChip({ name, to }: TagChipProps) {
  if (to === undefined) return <span className="tag-chip">{name}</span>;
  return (
    <Link to={to} className="tag-chip" title={`Open the version tagged ${name}`}>
      {name}
    </Link>
  );
}
