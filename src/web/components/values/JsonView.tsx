import { useState } from 'react';
import { CopyButton } from '../CopyButton.tsx';
import { Icon } from '../Icon.tsx';
import './values.css';

/**
 * Number of children that are rendered at once. More are added on demand, because a list of a million would block the
 * page.
 */
const CHILDREN_STEP = 100;
const STRING_CHARS = 600;
const OPEN_DEPTH = 2;
/** Maximum length of a string that is parsed as JSON. */
const NESTED_CHARS_MAX = 2_000_000;

interface JsonViewProps {
  readonly value: unknown;
  /** Initial depth of expanded values. */
  readonly openDepth?: number;
  /** Called to find spans with the same value. The path contains object keys only. */
  readonly onFilter?: ((keys: readonly string[], value: Leaf) => void) | undefined;
}

export type Leaf = string | number | boolean;
/** A longer string is unlikely to be a category. */
const FILTER_CHARS_MAX = 300;

const isLeaf = (value: unknown): value is Leaf =>
  (typeof value === 'string' && value.length <= FILTER_CHARS_MAX) || ['number', 'boolean'].includes(typeof value);

/** Collapsible tree of a value. Each value and its path can be copied. */
export function JsonView({ value, openDepth = OPEN_DEPTH, onFilter }: JsonViewProps) {
  const entries = entriesOf(value);
  return (
    <div className="json">
      {entries ? (
        <Children
          entries={entries}
          path=""
          keys={Array.isArray(value) ? undefined : []}
          depth={0}
          openDepth={openDepth}
          onFilter={onFilter}
        />
      ) : (
        <span className="json-value">
          <LeafValue value={value} />
        </span>
      )}
    </div>
  );
}

type Entries = readonly (readonly [string, unknown])[];

function entriesOf(value: unknown): Entries | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? value.map((item, index) => [String(index), item] as const) : Object.entries(value);
}

interface NodeProps {
  readonly path: string;
  /** Undefined below a list or in a string with JSON. */
  readonly keys: readonly string[] | undefined;
  readonly depth: number;
  readonly openDepth: number;
  readonly onFilter: JsonViewProps['onFilter'];
}

function Children({ entries, ...node }: NodeProps & { readonly entries: Entries }) {
  const [count, setCount] = useState(CHILDREN_STEP);
  return (
    <>
      {entries.slice(0, count).map(([name, value]) => (
        <Row
          key={name}
          name={name}
          value={value}
          {...node}
          path={node.path === '' ? name : `${node.path}.${name}`}
          keys={node.keys && [...node.keys, name]}
        />
      ))}
      {entries.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count * 4)}>
          Show {(entries.length - count).toLocaleString('en-US')} more
        </button>
      )}
    </>
  );
}

interface RowProps extends NodeProps {
  readonly name: string;
  readonly value: unknown;
}

function Row({ name, value, path, keys, depth, openDepth, onFilter }: RowProps) {
  const nested = typeof value === 'string' ? parseNested(value) : undefined;
  const shown = nested ?? value;
  const entries = entriesOf(shown);
  const [isOpen, setOpen] = useState(depth < openDepth && (entries?.length ?? 0) <= CHILDREN_STEP);
  return (
    <>
      <div className="json-row" style={{ '--depth': depth } as React.CSSProperties}>
        {entries && entries.length > 0 ? (
          <button
            type="button"
            className="json-fold"
            aria-expanded={isOpen}
            aria-label={name}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="right" size={11} />
          </button>
        ) : (
          <span className="json-fold" />
        )}
        <span className="json-key">{name}</span>
        <span className="json-value">
          {entries ? (
            <span className="muted">
              {nested !== undefined && 'JSON text '}
              {Array.isArray(shown) ? `[${entries.length}]` : `{${entries.length}}`}
            </span>
          ) : (
            <LeafValue value={value} />
          )}
        </span>
        <span className="row json-actions">
          {onFilter && keys && nested === undefined && isLeaf(value) && (
            <button
              type="button"
              className="button bare small icon-only"
              aria-label={`Filter by ${name}`}
              title="Filter spans by this value"
              onClick={() => onFilter(keys, value)}
            >
              <Icon name="filter" size={13} />
            </button>
          )}
          <CopyButton
            text={() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
            label="Copy value"
          />
          <CopyPath path={path} />
        </span>
      </div>
      {isOpen && entries && (
        <Children
          entries={entries}
          path={path}
          keys={Array.isArray(shown) || nested !== undefined ? undefined : keys}
          depth={depth + 1}
          openDepth={openDepth}
          onFilter={onFilter}
        />
      )}
    </>
  );
}

function CopyPath({ path }: { readonly path: string }) {
  return <CopyButton text={path} label={`Copy path ${path.length > 80 ? `${path.slice(0, 80)}…` : path}`} />;
}

function LeafValue({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value === 'number') return <span className="json-number">{value}</span>;
  if (typeof value !== 'string') return <span className="json-word">{String(value)}</span>;
  const isLong = value.length > STRING_CHARS && !isWhole;
  return (
    <>
      <span className="json-string" dir="auto">
        {isLong ? `${value.slice(0, STRING_CHARS)}…` : value}
      </span>
      {isLong && (
        <button type="button" className="button small" onClick={() => setWhole(true)}>
          Show {(value.length - STRING_CHARS).toLocaleString('en-US')} more characters
        </button>
      )}
    </>
  );
}

function parseNested(text: string): object | undefined {
  if (text.length > NESTED_CHARS_MAX || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
