import { bindToPorts } from '../bind-to-ports.ts';
import type { AccessPorts } from './access-ports.ts';
import type { AuditParts } from './audit.ts';
import { requestPasswordReset, resetPassword } from './reset-password.ts';
import { refreshSession, signInWithPassword, signOut, startSession } from './sign-in.ts';

/** Operations of people who have no credential yet. */
export const createSignInOperations = (ports: AccessPorts & AuditParts) => ({
  policy: ports.accessPolicy,
  ...bindToPorts(ports, {
    signInWithPassword,
    startSession,
    refreshSession,
    signOut,
    requestPasswordReset,
    resetPassword,
  }),
});

export type SignInOperations = ReturnType<typeof createSignInOperations>;
