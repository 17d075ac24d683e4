/** Languages of code evaluators. */
export type Language = 'PYTHON' | 'TYPESCRIPT';

export const LANGUAGES = [
  ['PYTHON', 'Python'],
  ['TYPESCRIPT', 'TypeScript'],
] as const satisfies readonly (readonly [Language, string])[];

export const languageName = (language: Language): string => LANGUAGES.find(([each]) => each === language)![1];

/** Language of the editor. */
export const EDITOR_LANGUAGES = { PYTHON: 'python', TYPESCRIPT: 'typescript' } as const;

/** Source with which a new evaluator starts. It fits `SAMPLE_LABELS`. */
export const SAMPLES: Readonly<Record<Language, string>> = {
  PYTHON: `def evaluate(output, reference=None):
    same = output == reference
    return {
        "label": "same" if same else "different",
        "explanation": "Compared with the reference",
    }
`,
  TYPESCRIPT: `export function evaluate({ output, reference }: { output: unknown; reference?: unknown }) {
  const same = JSON.stringify(output) === JSON.stringify(reference);
  return {
    label: same ? "same" : "different",
    explanation: "Compared with the reference",
  };
}
`,
};

export const SAMPLE_LABELS = 'same = 1\ndifferent = 0';

/** Message of an error of the code, and the line that it names, as in `ValueError: no (line 3)` or `Unexpected token (3:14)`. */
export function readCodeError(error: string): { readonly message: string; readonly line: number | undefined } {
  const atEnd = /^(.*) \(line (\d+)\)$/s.exec(error);
  if (atEnd) return { message: atEnd[1]!, line: Number(atEnd[2]) };
  const line = /\((\d+):\d+\)/.exec(error)?.[1];
  return { message: error, line: line === undefined ? undefined : Number(line) };
}
