import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { ModelError } from '../contract/model-error.ts';
import type { CredentialCache } from '../credential-cache.ts';
import type { ConnectionOf } from '../protocol.ts';
import type { VendorCall } from '../transport/vendor-transport.ts';

type Connection = ConnectionOf<'aws_bedrock'>;

/** The parts of a request of the package that are sent. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A client of the package whose requests have the exact body, and go through the transport. */
export interface BedrockClient {
  readonly client: BedrockRuntimeClient;
  /** The response. Its body is read here if it is not streamed, because the package would convert its numbers to doubles. */
  readonly received: () => Promise<string>;
}

/**
 * Every setting that the package would read from variables of the process or from files is given here, except for the
 * default credentials.
 */
export async function openClient(
  connection: Connection,
  cache: CredentialCache,
  call: VendorCall,
  { bodyText, isStreamed }: { readonly bodyText: string; readonly isStreamed: boolean },
): Promise<BedrockClient> {
  const { region, endpointUrl } = connection;
  let response: Response | undefined;
  const client = new BedrockRuntimeClient({
    region,
    endpoint: endpointUrl ?? defaultEndpoint(region),
    credentials: await credentialsOf(connection, cache, call),
    authSchemePreference: ['sigv4'],
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: 'spandrel',
    requestHandler: {
      metadata: { handlerProtocol: 'http/1.1' },
      async handle(request: SignedRequest) {
        response = await call.fetch(urlOf(request), {
          method: request.method,
          headers: { ...request.headers },
          body: request.body as string,
        });
        const headers = Object.fromEntries(response.headers);
        const body = isStreamed ? response.body : Buffer.from('{}');
        return { response: { statusCode: response.status, headers, body } as never };
      },
      updateHttpClientConfig() {},
      httpHandlerConfigs: () => ({}),
    },
  });
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { body: unknown; headers: Record<string, string> };
      request.body = bodyText;
      const headers = Object.entries(connection.headers).map(([name, value]) => [name.toLowerCase(), value]);
      Object.assign(request.headers, Object.fromEntries(headers));
      return next(args);
    },
    // Before the package counts and signs the body.
    { step: 'build', name: 'exactBody', priority: 'high' },
  );
  return { client, received: async () => (await response?.text()) ?? '' };
}

const defaultEndpoint = (region: string): string =>
  `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

async function credentialsOf(connection: Connection, cache: CredentialCache, call: VendorCall) {
  const { credential, region } = connection;
  if (credential.type === 'keys') {
    const { accessKeyId, secretAccessKey, sessionToken } = credential;
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  }
  try {
    const provide = await cache.get(connection, () => openDefaultChain(region));
    const found = await provide();
    // The vendor repeats signed headers in its errors, among them the token of a session.
    call.hide([found.secretAccessKey, found.accessKeyId, ...(found.sessionToken ? [found.sessionToken] : [])]);
    return found;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelError('rejected', call.scrub(`AWS gives no credentials for this model: ${reason}`));
  }
}

/** Reads variables, files and the services of the cloud. Credentials are cached until shortly before they expire. */
async function openDefaultChain(region: string) {
  const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
  return fromNodeProviderChain({ clientConfig: { region } });
}

function urlOf({ protocol, hostname, port, path, query = {} }: SignedRequest): string {
  const url = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}
