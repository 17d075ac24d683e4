import { useMemo } from 'react';
import { isObject, type Json } from '../../../semconv/read-open-inference.ts';
import { distinctColors } from '../../components/chart/chart-series.ts';
import { type TemplateVariable, variablesOf } from '../../components/prompt/variant/variables.ts';
import { parseJson, type Variant } from '../../components/prompt/variant/variant.ts';
import { fingerprintOf, isUnsaved, problemsOf } from '../../components/prompt/variant/version-input.ts';

/** A variant with what the grid derives from it. */
export interface Column {
  readonly variant: Variant;
  readonly letter: string;
  readonly color: string;
  readonly fingerprint: string;
  readonly variables: readonly TemplateVariable[];
  /** Schema of its response format. Undefined for free text. */
  readonly schema: Json | undefined;
  readonly isUnsaved: boolean;
  readonly problems: readonly string[];
}

const LETTERS = 'ABCDEFGH';
const COLORS = distinctColors([...LETTERS]);

/** Derived once for each state of a variant, because a key changes one of them. */
const derived = new WeakMap<Variant, Omit<Column, 'variant' | 'letter' | 'color'>>();

function derive(variant: Variant): Omit<Column, 'variant' | 'letter' | 'color'> {
  const known = derived.get(variant);
  if (known) return known;
  const format = variant.responseFormat === null ? undefined : parseJson(variant.responseFormat);
  const made = {
    fingerprint: fingerprintOf(variant),
    variables: variablesOf(variant),
    schema: isObject(format) ? (format.schema ?? {}) : undefined,
    isUnsaved: isUnsaved(variant),
    problems: problemsOf(variant),
  };
  derived.set(variant, made);
  return made;
}

export const useColumns = (variants: readonly Variant[]): readonly Column[] =>
  useMemo(
    () =>
      variants.map((variant, index) => {
        const letter = LETTERS[index]!;
        return { variant, letter, color: COLORS.get(letter)!, ...derive(variant) };
      }),
    [variants],
  );
