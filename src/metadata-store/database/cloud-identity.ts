/** How the server logs in to a Postgres in a cloud. */
export type CloudIdentity = { readonly kind: 'aws' } | { readonly kind: 'azure'; readonly scope: string };

/** Returns the token for a new connection, in place of a password. */
export type TokenSource = (target: {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}) => Promise<string>;

/** Loads a package by its name. Tests load packages of their own. */
export type LoadPackage = (name: string) => Promise<unknown>;

/**
 * Opens the source of tokens. Its package is loaded only here, because most servers do not need it. Credentials come from
 * the usual chain of the cloud: the environment, its files, the container or the machine.
 *
 * @throws {Error} naming the package when it is not installed
 */
export async function openTokenSource(identity: CloudIdentity, load: LoadPackage = loadPackage): Promise<TokenSource> {
  if (identity.kind === 'aws') {
    const { Signer } = (await loadFor(identity, '@aws-sdk/rds-signer', load)) as RdsSigner;
    // A token is a signed URL, made without a request. It is valid for 15 minutes, during which a connection can begin.
    return (target) =>
      orUnavailable('AWS', () => {
        const { host, port, user } = target;
        return new Signer({ hostname: host, port, username: user }).getAuthToken();
      });
  }
  const { DefaultAzureCredential } = (await loadFor(identity, '@azure/identity', load)) as AzureIdentity;
  // It keeps a token until it must be renewed.
  const credential = new DefaultAzureCredential();
  return () => orUnavailable('Azure', async () => (await credential.getToken(identity.scope)).token);
}

/** To callers, a cloud that gives no token is a database that is away. The code is that of a failed connection. */
async function orUnavailable(cloud: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw Object.assign(new Error(`${cloud} gives no token for Postgres: ${reason}`, { cause: error }), {
      code: '08006',
    });
  }
}

interface RdsSigner {
  readonly Signer: new (target: {
    readonly hostname: string;
    readonly port: number;
    readonly username: string;
  }) => { getAuthToken(): Promise<string> };
}

interface AzureIdentity {
  readonly DefaultAzureCredential: new () => { getToken(scope: string): Promise<{ readonly token: string }> };
}

const loadPackage: LoadPackage = (name) => import(name);

async function loadFor({ kind }: CloudIdentity, name: string, load: LoadPackage): Promise<unknown> {
  try {
    return await load(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const setting = kind === 'aws' ? 'POSTGRES_USE_AWS_IAM_AUTH' : 'POSTGRES_USE_AZURE_MANAGED_IDENTITY';
    throw new Error(
      `SERVICE_${setting} needs the package ${name}, which is not installed. Install it in the directory of the server with 'npm install ${name}'.`,
      { cause: error },
    );
  }
}
