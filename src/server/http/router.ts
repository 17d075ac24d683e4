import { expectPresent } from '../../base/expect-present.ts';
import type { Route } from '../route.ts';

export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'methodNotAllowed'; readonly allow: string }
  /** A parameter is not valid percent-encoded UTF-8. */
  | { readonly kind: 'undecodable' };

export interface Router {
  /** `path` is percent-encoded as sent, without query and root path. A HEAD request matches the GET route. */
  match(method: string, path: string): RouteMatch;
}

interface Node {
  readonly literals: Map<string, Node>;
  param: Node | undefined;
  readonly methods: Map<string, Route>;
}

/**
 * Matches routes by path segment. A literal segment takes precedence over a parameter. Throws if two routes are equal.
 */
export function createRouter(routes: readonly Route[]): Router {
  const root = emptyNode();
  for (const route of routes) {
    const node = segmentsOf(route.path).reduce(childFor, root);
    if (node.methods.has(route.method)) throw new Error(`Two routes have the path ${route.method} ${route.path}`);
    node.methods.set(route.method, route);
  }

  return {
    match(method, path) {
      const segments = segmentsOf(path);
      const nodes = findNodes(root, segments, 0);
      const routed = method === 'HEAD' ? 'GET' : method;
      const found = nodes.find((node) => node.methods.has(routed))?.methods.get(routed);
      if (found !== undefined) return withParams(found, segments);
      if (nodes.length === 0) return { kind: 'notFound' };
      return { kind: 'methodNotAllowed', allow: allowOf(nodes) };
    },
  };
}

const emptyNode = (): Node => ({ literals: new Map(), param: undefined, methods: new Map() });

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

function childFor(node: Node, segment: string): Node {
  if (segment.startsWith(':')) {
    node.param ??= emptyNode();
    return node.param;
  }
  let child = node.literals.get(segment);
  if (child === undefined) {
    child = emptyNode();
    node.literals.set(segment, child);
  }
  return child;
}

/** Every node with routes that matches the segments, those with more literal segments first. */
function findNodes(node: Node, segments: readonly string[], depth: number): Node[] {
  const segment = segments[depth];
  if (segment === undefined) return node.methods.size > 0 ? [node] : [];
  const literal = node.literals.get(segment);
  const found = literal === undefined ? [] : findNodes(literal, segments, depth + 1);
  if (node.param !== undefined && segment !== '') found.push(...findNodes(node.param, segments, depth + 1));
  return found;
}

function withParams(route: Route, segments: readonly string[]): RouteMatch {
  const params: Record<string, string> = Object.create(null);
  try {
    for (const [index, name] of segmentsOf(route.path).entries()) {
      if (name.startsWith(':'))
        params[name.slice(1)] = decodeURIComponent(
          expectPresent(segments[index], 'a matching path has the segments of the route'),
        );
    }
  } catch {
    return { kind: 'undecodable' };
  }
  return { kind: 'found', route, params };
}

function allowOf(nodes: readonly Node[]): string {
  const methods = new Set(nodes.flatMap((node) => [...node.methods.keys()]));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort().join(', ');
}
