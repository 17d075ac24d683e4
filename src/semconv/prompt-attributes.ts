/**
 * Attributes in which a span may name the prompt version that it used, by its global ID. The first is the version of a
 * template in OpenInference, which its context managers set; `prompt.id` is its identifier of a prompt at a vendor.
 */
export const PROMPT_VERSION_ATTRIBUTES = ['llm.prompt_template.version', 'prompt.version.id', 'prompt.id'] as const;

/** Text of a filter that selects the spans that name a prompt version. */
export const toPromptVersionFilter = (versionId: string): string =>
  PROMPT_VERSION_ATTRIBUTES.map((path) => `${path} == ${JSON.stringify(versionId)}`).join(' or ');

/** Value of these attributes: the global ID of a version, which clients of GraphQL use too. */
export const toPromptVersionValue = (versionRowId: number): string => btoa(`PromptVersion:${versionRowId}`);

/** The row id that such a value names, or undefined. */
export function readPromptVersionValue(value: string): number | undefined {
  try {
    const rowId = Number(/^PromptVersion:(\d{1,15})$/.exec(atob(value))?.[1]);
    return Number.isSafeInteger(rowId) ? rowId : undefined;
  } catch {
    return undefined;
  }
}
