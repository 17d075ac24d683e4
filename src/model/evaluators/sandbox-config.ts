import type { Authored } from '../access/author.ts';

export type CodeLanguage = 'PYTHON' | 'TYPESCRIPT';

export const SANDBOX_BACKENDS = ['WASM', 'E2B', 'DAYTONA', 'VERCEL', 'DENO', 'MODAL', 'MONTY'] as const;

/** A way to run code. This server has WASM; the others are known by name, so that clients can list them. */
export type SandboxBackend = (typeof SANDBOX_BACKENDS)[number];

/** What a backend lets code have besides its inputs. WASM has none of it. */
export interface SandboxResources {
  /** Environment variables with the keys of stored secrets. */
  readonly envVars: readonly { readonly name: string; readonly secretKey: string }[];
  readonly internetAccess: 'ALLOW' | 'DENY' | null;
  /** Null: the language alone. */
  readonly packages: readonly string[] | null;
}

/** A named setting with which the code of evaluators runs. */
export interface SandboxConfig extends Authored {
  readonly rowId: number;
  readonly backend: SandboxBackend;
  readonly language: CodeLanguage;
  /** An identifier, unique in the backend. */
  readonly name: string;
  readonly description: string | null;
  readonly resources: SandboxResources;
  readonly timeoutSeconds: number;
  readonly isEnabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewSandboxConfig = Omit<SandboxConfig, 'rowId' | 'createdAt' | 'updatedAt'>;

/** Editable fields. An absent field keeps its value. */
export type SandboxConfigChanges = Partial<
  Pick<SandboxConfig, 'description' | 'resources' | 'timeoutSeconds' | 'isEnabled'>
>;

/** Addresses of a hosted backend. */
export type SandboxDeployment = Readonly<Record<string, string | null>>;

/** Whether administrators let a backend run code. */
export interface SandboxProvider extends Authored {
  readonly backend: SandboxBackend;
  readonly isEnabled: boolean;
  readonly deployment: SandboxDeployment;
  readonly updatedAt: Date;
}
