import { type ExactJson, type ExactJsonObject, newJsonObject } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { InputMapping } from '../../model/evaluators/evaluator.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits/reads.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';
import { mapInputs } from './input-mapping.ts';

interface PreviewedInput {
  readonly name: string;
  /** Null when the path does not lead to a value. */
  readonly value: ExactJson;
  readonly problem: string | null;
}

interface InputPreview {
  readonly context: ExactJsonObject;
  readonly inputs: readonly PreviewedInput[];
}

/** An example, or values into which paths lead. */
export type PreviewSource = { readonly exampleRowId: number } | { readonly context: ExactJsonObject };

/**
 * Maps an example, or a context, to the inputs of an evaluator. A path that does not lead to a value is a problem of its input.
 *
 * @throws {SpandrelError} `DATASET_EXAMPLE_NOT_FOUND`
 */
export async function previewInputs(
  ports: Pick<Ports, 'datasets' | 'experiments'>,
  source: PreviewSource,
  mapping: InputMapping,
): Promise<InputPreview> {
  const context = 'context' in source ? source.context : await readContext(ports, source.exampleRowId);
  const inputs = Object.entries(mapping.paths).map(([name, path]): PreviewedInput => {
    try {
      const found = mapInputs({ paths: Object.fromEntries([[name, path]]), literals: newJsonObject() }, context);
      return { name, value: found[name] ?? null, problem: null };
    } catch (error) {
      if (!(error instanceof SpandrelError)) throw error;
      return { name, value: null, problem: error.message };
    }
  });
  const literals = Object.entries(mapping.literals).map(([name, value]) => ({ name, value, problem: null }));
  return { context, inputs: [...inputs.filter(({ name }) => !Object.hasOwn(mapping.literals, name)), ...literals] };
}

/** The values into which the paths of a mapping lead. */
async function readContext(
  { datasets, experiments }: Pick<Ports, 'datasets' | 'experiments'>,
  exampleRowId: number,
): Promise<ExactJsonObject> {
  const [example] = await datasets.findRevisionsAt([{ exampleRowId }]);
  if (!example || example.kind === 'DELETE') {
    throw new RowError(
      'DATASET_EXAMPLE_NOT_FOUND',
      'DatasetExample',
      [exampleRowId],
      (id) => `DatasetExample with ID ${id} does not exist`,
    );
  }
  const output = await experiments.findNewestOutput(exampleRowId);
  return {
    input: parse(example.input),
    output: output === undefined ? null : parse(output),
    reference: parse(example.output),
    metadata: parse(example.metadata),
  };
}

const parse = (text: string): ExactJson => parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX });
