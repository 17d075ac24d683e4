/** A complete program in one language. */
export interface CodeSample {
  /** A value of the preference `codeLanguage`. */
  readonly language: 'python' | 'typescript' | 'curl';
  /** Command that installs the packages of the code. */
  readonly install?: string;
  readonly code: string;
  /** What the program does not do. */
  readonly note?: string;
}

export const LANGUAGE_LABELS: Readonly<Record<CodeSample['language'], string>> = {
  python: 'Python',
  typescript: 'TypeScript',
  curl: 'curl',
};
