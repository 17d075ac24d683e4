import * as ariakit from '@ariakit/react';
import { type ReactNode, useEffect, useState } from 'react';
import { addCondition, quote, writeCondition } from '../filter/write-condition.ts';
import { setSearch } from '../../router/location.ts';
import { formatScore } from './format-score.ts';

/**
 * Annotated objects: the filter field of their annotations, and the parameter of the address that holds such filters.
 */
const LANGUAGES = {
  span: { list: 'annotations', param: 'spanFilterCondition' },
  trace: { list: 'trace_annotations', param: 'spanFilterCondition' },
  session: { list: 'session_annotations', param: 'sessionFilterCondition' },
} as const;

interface AnnotationFilterProps {
  readonly target: keyof typeof LANGUAGES;
  readonly name: string;
  readonly labels: readonly string[];
  readonly score: number | null;
  readonly children: ReactNode;
}

/** Aggregated annotation with a menu that narrows the filter to the same label, or to higher or lower scores. */
export function AnnotationFilter(props: AnnotationFilterProps) {
  // A table has hundreds of chips, so each one creates its menu on demand.
  const [isRequested, setRequested] = useState(false);
  if (isRequested) return <WithMenu {...props} />;
  return (
    <button
      type="button"
      className="plain-button"
      aria-haspopup="menu"
      title={`Filter by ${props.name}`}
      onClick={() => setRequested(true)}
    >
      {props.children}
    </button>
  );
}

/** Rounds a score down, so that a filter for this score or more includes it. */
function notAbove(score: number): string {
  const shown = formatScore(score);
  return Number(shown) > score ? formatScore(Number(shown) - 0.001) : shown;
}

/** Opens immediately and takes the focus. */
function WithMenu({ target, name, labels, score, children }: AnnotationFilterProps) {
  const store = ariakit.useMenuStore();
  useEffect(() => {
    store.setAutoFocusOnShow(true);
    store.setInitialFocus('first');
    store.show();
  }, [store]);
  const { list, param } = LANGUAGES[target];
  const field = `${list}[${quote(name)}]`;
  const conditions = [
    ...labels.map((each) => writeCondition({ field: `${field}.label`, value: each }, false)),
    ...(score === null ? [] : [`${field}.score >= ${notAbove(score)}`, `${field}.score < ${notAbove(score)}`]),
  ];
  const apply = (condition: string) => {
    const filter = new URLSearchParams(window.location.search).get(param) ?? '';
    setSearch({ [param]: addCondition(filter, condition) });
  };
  const label = `Filter by ${name}`;
  return (
    <>
      <ariakit.MenuButton store={store} className="plain-button" title={label}>
        {children}
      </ariakit.MenuButton>
      <ariakit.Menu
        store={store}
        className="popover"
        gutter={4}
        unmountOnHide
        portal
        aria-label={label}
        // React bubbles clicks in the menu to the table row, although the menu is not inside of it.
        onClick={(event) => event.stopPropagation()}
      >
        {conditions.map((condition) => (
          <ariakit.MenuItem key={condition} className="menu-item" onClick={() => apply(condition)}>
            <code>{condition}</code>
          </ariakit.MenuItem>
        ))}
      </ariakit.Menu>
    </>
  );
}
