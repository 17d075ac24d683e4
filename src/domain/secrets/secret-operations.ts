import type { AuditParts } from '../access/audit.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { upsertOrDeleteSecrets } from './change-secrets.ts';

export const createSecretOperations = (ports: Pick<Ports, 'secrets' | 'secretBox'> & AuditParts) => ({
  ...pick(ports.secrets, 'list', 'findByKeys'),
  ...bindToPorts(ports, { upsertOrDelete: upsertOrDeleteSecrets }),
});

export type SecretOperations = ReturnType<typeof createSecretOperations>;
