import { isObject, type Json } from '../../../../semconv/read-open-inference.ts';

const PATH_COUNT_MAX = 200;
const DEPTH_MAX = 4;

/** Paths to the values of a context, for suggestions. Of lists only the first item. */
export function listPaths(context: Json | undefined): readonly string[] {
  const paths: string[] = [];
  const visit = (value: Json | undefined, path: string, depth: number) => {
    if (path !== '') paths.push(path);
    if (depth === DEPTH_MAX || paths.length >= PATH_COUNT_MAX) return;
    if (Array.isArray(value)) visit(value[0], `${path}[0]`, depth + 1);
    else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        if (paths.length < PATH_COUNT_MAX) visit(inner, stepTo(path, key), depth + 1);
      }
    }
  };
  visit(context, '', 0);
  return paths;
}

function stepTo(path: string, key: string): string {
  if (/^[A-Za-z_]\w*$/.test(key)) return path === '' ? key : `${path}.${key}`;
  return `${path}['${key.replace(/[\\']/g, '\\$&')}']`;
}
