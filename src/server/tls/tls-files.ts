import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** PEM files. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly keyFilePassword?: string;
  /** With this file and `verifiesClient`, a client needs a certificate that one of these certificates has signed. */
  readonly caFile?: string;
  readonly verifiesClient?: boolean;
}

/** Contents of the files at one time. */
export interface TlsMaterial {
  readonly secureContext: SecureContextOptions;
  /** Distinguishes contents. */
  readonly digest: string;
  /** End of validity of the server's certificate. */
  readonly validTo: string;
}

/** Files as an engine uses them: uWebSockets.js reads them by name, Node takes their contents. */
export interface LoadedTls {
  readonly files: TlsFiles;
  readonly material: TlsMaterial;
}

/**
 * Reads the files and checks that they can be used together.
 *
 * @throws {Error} that names the file or files
 */
export async function readTlsMaterial(files: TlsFiles): Promise<TlsMaterial> {
  const cert = await readFile(files.certFile);
  const key = await readFile(files.keyFile);
  const ca = files.caFile === undefined ? undefined : await readFile(files.caFile);
  const secureContext = {
    cert,
    key,
    ...(files.keyFilePassword === undefined ? {} : { passphrase: files.keyFilePassword }),
    ...(ca === undefined ? {} : { ca }),
  };
  try {
    createSecureContext(secureContext);
  } catch (cause) {
    throw new Error(
      `The certificate ${files.certFile} and the key ${files.keyFile} cannot be used: ${messageOf(cause)}`,
      { cause },
    );
  }
  if (ca !== undefined) parseCertificate(ca, files.caFile ?? '');
  const digest = createHash('sha256');
  // Hashed one by one, so that moving bytes from one file to the next changes the digest.
  for (const content of [cert, key, ca ?? '']) digest.update(createHash('sha256').update(content).digest());
  return { secureContext, digest: digest.digest('hex'), validTo: parseCertificate(cert, files.certFile).validTo };
}

/** OpenSSL silently ignores a CA file without a certificate, and then no client could connect. */
function parseCertificate(pem: Buffer, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new Error(`The file ${file} contains no certificate: ${messageOf(cause)}`, { cause });
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
