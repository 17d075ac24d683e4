import { stat } from 'node:fs/promises';
import type { Log } from '../../base/log.ts';
import { TLS_POLL_MS } from '../../model/limits/requests.ts';
import { type LoadedTls, readTlsMaterial, type TlsFiles, type TlsMaterial } from './tls-files.ts';

export interface CertificateWatchOptions {
  readonly tls: LoadedTls;
  /** Uses the new files for further connections. Throws if it cannot; then the old ones stay in use. */
  readonly apply: (material: TlsMaterial) => void;
  /** Name of the listener in log lines. */
  readonly listener: 'HTTP' | 'gRPC';
  readonly log: Log;
  readonly intervalMs?: number;
}

export interface CertificateWatch {
  close(): void;
}

/**
 * Applies changed files of a listener without a restart. Files are polled, because a file system may report no change
 * of a mounted directory or of the target of a symbolic link, which is how certificates are replaced in containers.
 */
export function watchCertificate(options: CertificateWatchOptions): CertificateWatch {
  const { apply, listener, log } = options;
  const { files } = options.tls;
  let digest = options.tls.material.digest;
  // The first poll reads the files, because they may have changed since they were read for the start.
  let seen: string | undefined;
  let isRunning = false;

  async function check(): Promise<void> {
    const state = await stateOf(files);
    if (state === seen) return;
    seen = state;
    try {
      const material = await readTlsMaterial(files);
      if (material.digest === digest) return;
      apply(material);
      digest = material.digest;
      log.info({ listener, validTo: material.validTo }, 'New connections use the changed TLS files');
    } catch (error) {
      log.error({ listener, err: error }, 'Could not use the changed TLS files; the previous ones stay in use');
    }
  }

  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    check()
      .catch((error) => log.error({ listener, err: error }, 'Could not check the TLS files for changes'))
      .finally(() => {
        isRunning = false;
      });
  }, options.intervalMs ?? TLS_POLL_MS).unref();
  return { close: () => clearInterval(timer) };
}

/** Differs whenever a file was written or replaced. */
async function stateOf({ certFile, keyFile, caFile }: TlsFiles): Promise<string> {
  const paths = [certFile, keyFile, ...(caFile === undefined ? [] : [caFile])];
  const states = paths.map(async (path) => {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  });
  return (await Promise.allSettled(states)).map((one) => (one.status === 'fulfilled' ? one.value : 'absent')).join(' ');
}
