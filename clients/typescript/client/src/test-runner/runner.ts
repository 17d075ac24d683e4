/** What is used of vitest and jest. */
export interface Runner {
  readonly describe: SuiteFunction & { readonly only: SuiteFunction; readonly skip: SuiteFunction };
  readonly test: TestFunction & { readonly only: TestFunction; readonly skip: TestFunction };
  beforeAll(run: () => Promise<void>, timeoutMs: number): void;
  afterAll(run: () => Promise<void>, timeoutMs: number): void;
}

type SuiteFunction = (name: string, run: () => void) => void;
type TestFunction = (name: string, run: () => Promise<void>, timeoutMs?: number) => void;

/** How a test or suite is marked. */
export type Mark = 'only' | 'skip' | undefined;

/** The function of a runner for a mark. */
export const marked = <F>(functions: F & { readonly only: F; readonly skip: F }, mark: Mark): F =>
  mark ? functions[mark] : functions;
