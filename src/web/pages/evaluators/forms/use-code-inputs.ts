import { useEffect, useState } from 'react';
import { useQuery } from '../../../data/use-query.ts';
import { codeFieldsOf, type InputField } from '../input-draft.ts';
import type { Language } from './code-samples.ts';
import { codeInputs } from './generated/forms.ts';

export interface CodeInputs {
  /** Inputs of the newest source whose signature the server could read. */
  readonly fields: readonly InputField[];
  /** Why the signature of the current source cannot be read. */
  readonly problem: string | undefined;
}

/** The user types faster than signatures need to be read. */
const DELAY_MS = 250;

/** Inputs of a source that is edited, as the server reads them from the signature of `evaluate`. */
export function useCodeInputs(language: Language, source: string): CodeInputs {
  const [read, setRead] = useState({ language, sourceCode: source });
  useEffect(() => {
    const timer = setTimeout(() => setRead({ language, sourceCode: source }), DELAY_MS);
    return () => clearTimeout(timer);
  }, [language, source]);
  const { data, failure } = useQuery(codeInputs, read);
  const [schema, setSchema] = useState<unknown>();
  const signature = data?.codeEvaluatorInputs;
  if (signature && signature.inputSchema !== null && signature.inputSchema !== schema) setSchema(signature.inputSchema);
  return { fields: codeFieldsOf(schema), problem: failure?.message ?? signature?.problem ?? undefined };
}
