/** A variable of the process without surrounding blanks. Undefined when it is blank. The only reader of the environment. */
export function readVariable(name: string): string | undefined {
  return process.env[name]?.trim() || undefined;
}

const PREFIXES = ['SPANDREL_', 'PHOENIX_'];

/** A setting with our prefix, else with that of the product whose settings people already have. */
export function readSetting(name: string): string | undefined {
  for (const prefix of PREFIXES) {
    const value = readVariable(prefix + name);
    if (value) return value;
  }
  return undefined;
}

/** Whether the process names a server for reading. Variables of exporters do not count: a profile is more definite. */
export const namesEndpoint = (): boolean => ['ENDPOINT', 'HOST'].some((name) => readSetting(name) !== undefined);

export const namesCredential = (): boolean =>
  ['API_KEY', 'CLIENT_HEADERS'].some((name) => readSetting(name) !== undefined);

export const namesProject = (): boolean => ['PROJECT', 'PROJECT_NAME'].some((name) => readSetting(name) !== undefined);

/** The environment of a program that is started, with these variables. */
export const environmentWith = (values: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...values,
});
