import { SCIM_OPERATION_COUNT_MAX } from '../../model/limits/identity-providers.ts';
import { type AttributePath, parsePath } from './parse-filter.ts';
import { ScimError } from './scim-error.ts';
import { type Attributes, checkSchema, isObject, toAttributes } from './scim-values.ts';

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly target: AttributePath;
  readonly value: unknown;
  /** False for an attribute of an object without a path. Providers repeat there what cannot be changed. */
  readonly isNamed: boolean;
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/**
 * Operations of a PATCH (RFC 7644, section 3.5.2), in order. An operation without a path becomes one for each attribute of
 * its value, whose names may be paths, as Microsoft Entra sends them.
 *
 * @throws {ScimError} `invalidSyntax`, `invalidPath`, `invalidValue`
 */
export function readOperations(body: Attributes): Operation[] {
  checkSchema(body, PATCH_SCHEMA);
  const list = body.get('operations');
  if (!Array.isArray(list) || list.length === 0) throw new ScimError('invalidSyntax', 'Operations must be a list');
  if (list.length > SCIM_OPERATION_COUNT_MAX) {
    throw new ScimError('invalidSyntax', `A PATCH has at most ${SCIM_OPERATION_COUNT_MAX} operations`);
  }
  return list.flatMap((one: unknown) => {
    const fields = isObject(one) ? toAttributes(one) : new Map<string, unknown>();
    const op = toOp(fields.get('op'));
    const [path, value] = [fields.get('path'), fields.get('value')];
    if (path !== undefined && path !== null && path !== '') {
      if (typeof path !== 'string') throw new ScimError('invalidPath', 'A path must be a string');
      if (op !== 'remove' && value === undefined)
        throw new ScimError('invalidValue', `The ${op} of ${path} has no value`);
      return [{ op, target: normalize(parsePath(path)), value, isNamed: true }];
    }
    if (op === 'remove') throw new ScimError('invalidPath', 'A remove needs a path');
    if (!isObject(value)) throw new ScimError('invalidValue', `An ${op} without a path needs an object`);
    return Object.entries(value)
      .filter(([name]) => name.toLowerCase() !== 'schemas')
      .map(([name, part]): Operation => ({ op, target: normalize(parsePath(name)), value: part, isNamed: false }));
  });
}

function toOp(given: unknown): Operation['op'] {
  const op = typeof given === 'string' ? given.toLowerCase() : '';
  if (op === 'add' || op === 'replace' || op === 'remove') return op;
  throw new ScimError('invalidSyntax', 'The op of an operation must be add, replace or remove');
}

/** `emails.value` has the same form as `emails[…].value`. The URN of an extension has dots, too, and stays whole. */
function normalize(target: AttributePath): AttributePath {
  if (target.filter !== undefined || target.path.startsWith('urn:')) return target;
  const [path = '', ...rest] = target.path.split('.');
  return rest.length === 0 ? target : { path, filter: undefined, sub: rest.join('.') };
}
