import type { ModelConnection } from './contract/model-target.ts';

/** Shorter values are words such as `true`, which would be removed from every text. */
const SECRET_CHARS_MIN = 4;
const HEADER_SECRET_CHARS_MIN = 8;

/** Texts of a connection that must appear nowhere. */
export function secretsOf(connection: ModelConnection): string[] {
  const secrets = credentialsOf(connection).filter((text) => text.length >= SECRET_CHARS_MIN);
  const headers = Object.values(connection.headers).filter((text) => text.length >= HEADER_SECRET_CHARS_MIN);
  // A bearer token is also a secret without its scheme.
  return [...secrets, ...headers, ...headers.map((text) => text.replace(/^\S+\s+/, ''))].filter(
    (text) => text.length >= SECRET_CHARS_MIN,
  );
}

/** The parts of a connection that decide whose limits its calls use up. */
export function credentialsOf(connection: ModelConnection): string[] {
  if (connection.type === 'azure_openai') {
    const { credential } = connection;
    if (credential.type === 'key') return [credential.apiKey];
    return credential.type === 'client' ? [credential.clientSecret, credential.clientId, credential.tenantId] : [];
  }
  if (connection.type === 'aws_bedrock') {
    const { credential } = connection;
    return credential.type === 'keys'
      ? [
          credential.secretAccessKey,
          credential.accessKeyId,
          ...(credential.sessionToken ? [credential.sessionToken] : []),
        ]
      : [];
  }
  return [connection.apiKey];
}
