import type { JsonShape } from './json-shape.ts';

export interface EditorProps {
  /** Name of the edited value for screen readers. */
  readonly label: string;
  /** A JSON text shows its first problem with its position. `findJsonProblem` tells whether it may be saved. */
  readonly language: EditorLanguage;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What a JSON text may contain. Names and values of it are suggested while the user types, and on Ctrl Space. */
  readonly shape?: JsonShape | undefined;
  /** A problem that another check has found. Its line is marked. */
  readonly problem?: EditorProblem | undefined;
  /** Default false. */
  readonly isReadOnly?: boolean;
  /** Default false. */
  readonly hasFocusAtFirst?: boolean;
}

export type EditorLanguage = 'json' | 'text' | CodeLanguage;
export type CodeLanguage = 'python' | 'typescript';

export interface EditorProblem {
  readonly message: string;
  /** Starts at 1. Undefined for a problem of the whole text. */
  readonly line?: number | undefined;
}
