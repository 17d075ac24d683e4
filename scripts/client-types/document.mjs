// What both languages need of an OpenAPI document.

export const entriesOf = (object) => Object.entries(object ?? {});

/** Name of a schema that another one refers to. */
export const refName = (ref) => ref.slice('#/components/schemas/'.length);

export const hasRequiredParameter = (parameters) => parameters.some(({ required }) => required);

/** Lines of a description. */
export const docLines = (text) =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** `createDatasetSplit` and `split_key` as `CreateDatasetSplit` and `SplitKey`. */
export const toPascalCase = (name) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((part) => part[0].toUpperCase() + part.slice(1))
    .join('');
