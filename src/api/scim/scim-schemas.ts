import { ASSIGNABLE_ROLES } from '../../model/access/user.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Characteristics of an attribute, of RFC 7643, section 2.2. */
interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference';
  readonly description: string;
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable';
  readonly uniqueness?: 'none' | 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

const complete = (attribute: Attribute): object => ({
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...attribute,
  ...(attribute.subAttributes && { subAttributes: attribute.subAttributes.map(complete) }),
});

const text = (name: string, description: string, rest: Partial<Attribute> = {}): Attribute => ({
  ...{ name, type: 'string', description },
  ...rest,
});

const reference = (name: string, ...referenceTypes: string[]): Attribute => ({
  ...{ name, type: 'reference', description: 'URL.', mutability: 'readOnly', caseExact: true, referenceTypes },
});

const USER_ATTRIBUTES: readonly Attribute[] = [
  text('userName', 'Name of the account, unique without case.', { required: true, uniqueness: 'server' }),
  {
    name: 'name',
    type: 'complex',
    description: 'Name of the person.',
    subAttributes: [
      text('formatted', 'Given name and family name.', { mutability: 'readOnly' }),
      text('familyName', 'Family name.'),
      text('givenName', 'Given name.'),
    ],
  },
  text('displayName', 'Name for display.'),
  { name: 'active', type: 'boolean', description: 'False: the person cannot sign in, and keys do not count.' },
  {
    name: 'emails',
    type: 'complex',
    multiValued: true,
    description: 'The primary one, else that of the type work, is the email of the account.',
    subAttributes: [
      text('value', 'Address.', { uniqueness: 'server' }),
      text('type', 'Kind.', { canonicalValues: ['work'] }),
      { name: 'primary', type: 'boolean', description: 'Whether it is the email of the account.' },
    ],
  },
  {
    name: 'roles',
    type: 'complex',
    multiValued: true,
    description: 'One role. Without one, a new user is a viewer.',
    subAttributes: [text('value', 'Role.', { canonicalValues: ASSIGNABLE_ROLES })],
  },
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    description: 'Groups with the user as a member.',
    subAttributes: [
      text('value', 'ID of the group.', { mutability: 'readOnly' }),
      text('display', 'Name of the group.', { mutability: 'readOnly' }),
      reference('$ref', 'Group'),
    ],
  },
];

const GROUP_ATTRIBUTES: readonly Attribute[] = [
  text('displayName', 'Name, unique without case. Rights of groups refer to it.', {
    required: true,
    uniqueness: 'server',
  }),
  {
    name: 'members',
    type: 'complex',
    multiValued: true,
    description: 'Users in the group.',
    subAttributes: [
      text('value', 'ID of the user.', { mutability: 'immutable' }),
      text('display', 'Name of the account.', { mutability: 'readOnly' }),
      reference('$ref', 'User'),
    ],
  },
];

const toSchema = (id: string, name: string, description: string, attributes: readonly Attribute[]) => ({
  id,
  name,
  description,
  attributes: attributes.map(complete),
});

/** Definitions that `GET /Schemas` returns. */
export const SCHEMAS = [
  toSchema(USER_SCHEMA, 'User', 'Account of a person', USER_ATTRIBUTES),
  toSchema(GROUP_SCHEMA, 'Group', 'Group of users', GROUP_ATTRIBUTES),
];

/** Definitions that `GET /ResourceTypes` returns. */
export const RESOURCE_TYPES = [
  { id: 'User', name: 'User', endpoint: '/Users', description: 'Account of a person', schema: USER_SCHEMA },
  { id: 'Group', name: 'Group', endpoint: '/Groups', description: 'Group of users', schema: GROUP_SCHEMA },
];
