/** What a token of an application is accepted for: REST, GraphQL and OTLP, or the Model Context Protocol under `/mcp`. */
export type ProtectedResource = 'SERVER' | 'MCP';

/** An application that may request access from users. It has no secret. */
export interface OAuth2Client {
  readonly rowId: number;
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** True for applications that are part of the product. Others registered themselves, and their names prove nothing. */
  readonly isFirstParty: boolean;
  readonly createdAt: Date;
}

/** Access of one application to the account of one user. */
export interface OAuth2Grant {
  readonly rowId: number;
  readonly userRowId: number;
  readonly clientName: string;
  readonly clientId: string;
  readonly isFirstParty: boolean;
  /** Names that the application requested. They restrict nothing. */
  readonly scopes: readonly string[];
  readonly resource: ProtectedResource;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When tokens were last issued. */
  readonly lastUsedAt: Date | null;
}

/** The command-line client, which every server knows. Public clients send this ID. */
export const COMMAND_LINE_CLIENT = {
  clientId: 'phoenix-cli',
  name: 'Command-line client',
  redirectUris: ['http://127.0.0.1/callback'],
} as const;

/** Beginning of the IDs of applications that registered themselves. */
export const REGISTERED_CLIENT_PREFIX = 'px_dcr_';
