import { ModelError } from '../contract/model-error.ts';
import type { CredentialCache } from '../credential-cache.ts';
import type { ConnectionOf } from '../protocol.ts';
import type { VendorCall } from '../transport/vendor-transport.ts';

type AzureConnection = ConnectionOf<'azure_openai'>;
type TokenCredential = Exclude<AzureConnection['credential'], { type: 'key' }>;

const DEFAULT_SCOPE = 'https://cognitiveservices.azure.com/.default';

/** Returns a token of Entra ID. The credential renews it, so it is reused between calls. */
export async function azureToken(
  connection: AzureConnection,
  credential: TokenCredential,
  cache: CredentialCache,
  call: VendorCall,
): Promise<string> {
  try {
    const azure = await cache.get(connection, () => openCredential(credential));
    const scope = credential.type === 'client' ? credential.scope || DEFAULT_SCOPE : DEFAULT_SCOPE;
    const { token } = await azure.getToken(scope);
    call.hide([token]);
    return token;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelError('rejected', call.scrub(`Azure gives no token for this model: ${reason}`));
  }
}

interface AzureCredential {
  getToken(scope: string): Promise<{ readonly token: string }>;
}

interface AzureIdentity {
  readonly DefaultAzureCredential: new () => AzureCredential;
  readonly ClientSecretCredential: new (tenantId: string, clientId: string, secret: string) => AzureCredential;
}

/** The package is named by a variable, so that it stays out of the bundle: few servers need it. */
const PACKAGE: string = '@azure/identity';

async function openCredential(credential: TokenCredential): Promise<AzureCredential> {
  const { DefaultAzureCredential, ClientSecretCredential } = (await import(PACKAGE)) as AzureIdentity;
  if (credential.type === 'default') return new DefaultAzureCredential();
  return new ClientSecretCredential(credential.tenantId, credential.clientId, credential.clientSecret);
}
