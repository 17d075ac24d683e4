import type { AnnotationConfig } from '../../../model/annotations/annotation-config.ts';
import type { Resolvers } from '../resolvers.ts';

interface Arguments {
  readonly language: 'PYTHON' | 'TYPESCRIPT';
  readonly mode: 'FULL' | 'CURATED';
}

type Fields = Readonly<Record<string, string | number>>;

export const shapeExampleResolvers: Resolvers = {
  shapeExamples: (config: AnnotationConfig, { language, mode }: Arguments) => shapeExamples(config, language, mode),
};

/** Examples of return values of a code evaluator: one statement per form (`CURATED`), or also one per value. */
export function shapeExamples(
  config: AnnotationConfig,
  language: Arguments['language'],
  mode: Arguments['mode'],
): string[] {
  const shapes = config.type === 'CATEGORICAL' ? shapesOfValues(config, mode) : shapesOfScores(config, mode);
  return shapes.map((shape) => statement(shape, language));
}

function shapesOfValues(config: AnnotationConfig & { type: 'CATEGORICAL' }, mode: Arguments['mode']) {
  const values = mode === 'FULL' ? config.values : config.values.slice(0, 1);
  return values.flatMap(({ label, score }): (string | Fields)[] => [
    label,
    { label, ...(score !== null && { score }), explanation: '…' },
  ]);
}

function shapesOfScores(config: AnnotationConfig, mode: Arguments['mode']): (number | Fields)[] {
  const { lowerBound = null, upperBound = null } = config.type === 'CATEGORICAL' ? {} : config;
  const known = [lowerBound, upperBound].filter((bound) => bound !== null);
  const scores = known.length > 0 ? known : [0.5];
  return (mode === 'FULL' ? scores : scores.slice(0, 1)).flatMap((score) => [score, { score, explanation: '…' }]);
}

function statement(shape: string | number | Fields, language: Arguments['language']): string {
  if (typeof shape !== 'object') return end(JSON.stringify(shape), language);
  const fields = Object.entries(shape).map(([name, value]) =>
    language === 'PYTHON' ? `"${name}": ${JSON.stringify(value)}` : `${name}: ${JSON.stringify(value)}`,
  );
  return end(language === 'PYTHON' ? `{${fields.join(', ')}}` : `{ ${fields.join(', ')} }`, language);
}

const end = (value: string, language: Arguments['language']): string =>
  language === 'PYTHON' ? `return ${value}` : `return ${value};`;
