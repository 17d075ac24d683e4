// Made by scripts/generate-web-types.mjs from ../sandboxes.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type SandboxesData = { readonly sandboxBackends: readonly ({ readonly backendType: 'WASM' | 'E2B' | 'DAYTONA' | 'VERCEL' | 'DENO' | 'MODAL' | 'MONTY'; readonly displayName: string; readonly hostingType: 'LOCAL' | 'HOSTED'; readonly supportedLanguages: readonly ('PYTHON' | 'TYPESCRIPT')[]; readonly status: 'AVAILABLE' | 'MISSING_CREDENTIALS' | 'UNAVAILABLE' | 'NOT_INSTALLED' | 'DISABLED'; readonly statusDetail: string | null; readonly languageDialect: 'FULL' | 'RESTRICTED'; readonly runtimeNotes: string })[]; readonly sandboxProviders: readonly ({ readonly id: string; readonly backendType: 'WASM' | 'E2B' | 'DAYTONA' | 'VERCEL' | 'DENO' | 'MODAL' | 'MONTY'; readonly enabled: boolean; readonly updatedAt: string; readonly user: { readonly id: string; readonly username: string } | null; readonly configs: readonly ({ readonly id: string; readonly name: string; readonly description: string | null; readonly language: 'PYTHON' | 'TYPESCRIPT'; readonly timeout: number; readonly enabled: boolean; readonly updatedAt: string; readonly user: { readonly id: string; readonly username: string } | null })[] })[] };

export type SandboxesVariables = Record<string, never>;

export const sandboxes: Operation<SandboxesData, SandboxesVariables> = {
  name: 'sandboxes',
  text: "query sandboxes{sandboxBackends{backendType displayName hostingType supportedLanguages status statusDetail languageDialect runtimeNotes}sandboxProviders{id backendType enabled updatedAt user{id username}configs{id name description language timeout enabled updatedAt user{id username}}}}",
};

export type CreateSandboxConfigData = { readonly createSandboxConfig: { readonly sandboxConfig: { readonly id: string } } };

export type CreateSandboxConfigVariables = { readonly input: { readonly config: { readonly e2b?: { readonly language: 'PYTHON' | 'TYPESCRIPT'; readonly envVars?: readonly ({ readonly name: string; readonly secretKey: string })[]; readonly internetAccess?: { readonly mode: 'ALLOW' | 'DENY' } | null; readonly dependencies?: { readonly packages?: readonly (string)[] } | null } | null; readonly daytona?: { readonly language: 'PYTHON' | 'TYPESCRIPT'; readonly envVars?: readonly ({ readonly name: string; readonly secretKey: string })[]; readonly internetAccess?: { readonly mode: 'ALLOW' | 'DENY' } | null; readonly dependencies?: { readonly packages?: readonly (string)[] } | null } | null; readonly deno?: { readonly language: 'PYTHON' | 'TYPESCRIPT' } | null; readonly vercel?: { readonly language: 'PYTHON' | 'TYPESCRIPT'; readonly envVars?: readonly ({ readonly name: string; readonly secretKey: string })[]; readonly internetAccess?: { readonly mode: 'ALLOW' | 'DENY' } | null; readonly dependencies?: { readonly packages?: readonly (string)[] } | null } | null; readonly wasm?: { readonly language?: 'PYTHON' | 'TYPESCRIPT' } | null; readonly modal?: { readonly language?: 'PYTHON' | 'TYPESCRIPT'; readonly envVars?: readonly ({ readonly name: string; readonly secretKey: string })[]; readonly internetAccess?: { readonly mode: 'ALLOW' | 'DENY' } | null; readonly dependencies?: { readonly packages?: readonly (string)[] } | null } | null; readonly monty?: { readonly language?: 'PYTHON' | 'TYPESCRIPT' } | null }; readonly name: string; readonly description?: string | null; readonly timeout?: number | null; readonly enabled?: boolean } };

export const createSandboxConfig: Operation<CreateSandboxConfigData, CreateSandboxConfigVariables> = {
  name: 'createSandboxConfig',
  text: "mutation createSandboxConfig($input:CreateSandboxConfigInput!){createSandboxConfig(input:$input){sandboxConfig{id}}}",
  access: 'admin',
};

export type UpdateSandboxConfigData = { readonly updateSandboxConfig: { readonly sandboxConfig: { readonly id: string } } };

export type UpdateSandboxConfigVariables = { readonly input: { readonly id: string; readonly description?: string | null; readonly config?: { readonly e2b?: { readonly language: 'PYTHON' | 'TYPESCRIPT'; readonly envVars?: readonly ({ readonly name: string; readonly secretKey: string })[]; readonly internetAccess?: { readonly mode: 'ALLOW' | 'DENY' } | null; readonly dependencies?: { readonly packages?: readonly (string)[] } | null } | null; readonly daytona?: { readonly language: 'PYTHON' | 'TYPESCRIPT'; readonly envVars?: readonly ({ readonly name: string; readonly secretKey: string })[]; readonly internetAccess?: { readonly mode: 'ALLOW' | 'DENY' } | null; readonly dependencies?: { readonly packages?: readonly (string)[] } | null } | null; readonly deno?: { readonly language: 'PYTHON' | 'TYPESCRIPT' } | null; readonly vercel?: { readonly language: 'PYTHON' | 'TYPESCRIPT'; readonly envVars?: readonly ({ readonly name: string; readonly secretKey: string })[]; readonly internetAccess?: { readonly mode: 'ALLOW' | 'DENY' } | null; readonly dependencies?: { readonly packages?: readonly (string)[] } | null } | null; readonly wasm?: { readonly language?: 'PYTHON' | 'TYPESCRIPT' } | null; readonly modal?: { readonly language?: 'PYTHON' | 'TYPESCRIPT'; readonly envVars?: readonly ({ readonly name: string; readonly secretKey: string })[]; readonly internetAccess?: { readonly mode: 'ALLOW' | 'DENY' } | null; readonly dependencies?: { readonly packages?: readonly (string)[] } | null } | null; readonly monty?: { readonly language?: 'PYTHON' | 'TYPESCRIPT' } | null } | null; readonly timeout?: number | null; readonly enabled?: boolean | null } };

export const updateSandboxConfig: Operation<UpdateSandboxConfigData, UpdateSandboxConfigVariables> = {
  name: 'updateSandboxConfig',
  text: "mutation updateSandboxConfig($input:UpdateSandboxConfigInput!){updateSandboxConfig(input:$input){sandboxConfig{id}}}",
  access: 'admin',
};

export type DeleteSandboxConfigData = { readonly deleteSandboxConfig: { readonly deletedId: string } };

export type DeleteSandboxConfigVariables = { readonly id: string };

export const deleteSandboxConfig: Operation<DeleteSandboxConfigData, DeleteSandboxConfigVariables> = {
  name: 'deleteSandboxConfig',
  text: "mutation deleteSandboxConfig($id:ID!){deleteSandboxConfig(input:{id:$id}){deletedId}}",
  access: 'admin',
};

export type EnableSandboxProviderData = { readonly updateSandboxProvider: { readonly sandboxProvider: { readonly id: string } } };

export type EnableSandboxProviderVariables = { readonly id: string; readonly enabled: boolean };

export const enableSandboxProvider: Operation<EnableSandboxProviderData, EnableSandboxProviderVariables> = {
  name: 'enableSandboxProvider',
  text: "mutation enableSandboxProvider($id:ID!$enabled:Boolean!){updateSandboxProvider(input:{id:$id enabled:$enabled}){sandboxProvider{id}}}",
  access: 'admin',
};
