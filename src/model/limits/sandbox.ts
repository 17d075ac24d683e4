import { KiB, MiB } from './units.ts';

// Limits of code and JSON schemas that users bring. They run in threads of their own.

/** Threads for code. A run waits for nothing, so more threads than cores add only memory. */
export const CODE_THREAD_COUNT = 2;
/** Threads for JSON schemas. Few checks take more than a millisecond. */
export const SCHEMA_THREAD_COUNT = 1;
/** Threads for regular expressions that are not small. */
export const REGEX_THREAD_COUNT = 1;
/** Tasks that wait for a thread. Jobs have at most 1,000 calls at once. */
export const SANDBOX_QUEUE_COUNT_MAX = 2_000;
/** Tasks of one owner that wait: everything that a job calls at once. */
export const SANDBOX_OWNER_QUEUE_COUNT_MAX = 1_000;
/**
 * Time after which an owner with several threads returns one to an owner who waits, and first turn of a task while others wait. Most
 * runs have ended by then.
 */
export const SANDBOX_YIELD_MS = 250;
/** Time that a thread gets to load its runtime, even on a busy machine. */
export const SANDBOX_START_MS_MAX = 20_000;
/** Time after which a thread without work ends and returns its memory. */
export const SANDBOX_IDLE_MS_MAX = 60_000;
/** JavaScript heap of a thread. Values, sources and generated code are in it, memory of user code is not. */
export const SANDBOX_HEAP_MB_MAX = 96;

/** Instances of a language that a thread keeps, each for one source. An instance takes about 2 MiB, and 5 ms to start. */
export const CODE_INSTANCE_COUNT = 8;
/** Characters of the source of an evaluator. Its signature is read within 50 ms, whatever it contains. */
export const CODE_SOURCE_CHARS_MAX = 50_000;
/** Versions of one evaluator. */
export const CODE_VERSION_COUNT_MAX = 1_000;
/** Memory of one run, beside that of its interpreter. */
export const CODE_MEMORY_BYTES_MAX = 64 * MiB;
/** Stack of a TypeScript run, below the stack of its thread. */
export const CODE_STACK_BYTES_MAX = 256 * KiB;
/** Stack of a Python run in words, about 300 calls deep. */
export const PYTHON_STACK_WORDS = 8 * 1_024;
/** JSON of all inputs of a run. */
export const CODE_INPUT_CHARS_MAX = 4_000_000;
/** JSON of the result of a run. Explanations are texts for people. */
export const CODE_RESULT_CHARS_MAX = 1_000_000;
export const CODE_RESULT_DEPTH_MAX = 100;
/** Stored printed text. */
export const CODE_PRINTED_CHARS_MAX = 10_000;
/** Printed text after which a run ends. */
export const CODE_OUTPUT_CHARS_MAX = 1_000_000;
/** Characters of the message of an error in code. */
export const CODE_MESSAGE_CHARS_MAX = 2_000;
/**
 * A run is interrupted at its time limit by its own runtime, and its thread is ended this much later, for the operations
 * that do not notice an interruption.
 */
export const CODE_INTERRUPT_MS_MAX = 40;

/** Default and maximum time limit of a sandbox config, in seconds. */
export const SANDBOX_TIMEOUT_SECONDS = 30;
export const SANDBOX_TIMEOUT_SECONDS_MAX = 300;
export const SANDBOX_CONFIG_COUNT_MAX = 1_000;
export const SANDBOX_CONFIG_DESCRIPTION_LENGTH_MAX = 2_000;
/** Environment variables, packages of one config, and characters of each of them. */
export const SANDBOX_ENTRY_COUNT_MAX = 100;
export const SANDBOX_ENTRY_LENGTH_MAX = 500;

/** JSON of a schema. */
export const SCHEMA_CHARS_MAX = 256 * 1_024;
/** Nesting of a schema. The code that checks a value nests with the schema. */
export const SCHEMA_DEPTH_MAX = 128;
/** JSON of a value that a schema checks. */
export const SCHEMA_VALUE_CHARS_MAX = 4_000_000;
/** Time of one check. A pattern of a schema may need exponential time. */
export const SCHEMA_CHECK_MS_MAX = 1_000;
/** Compiled schemas that a thread keeps. */
export const COMPILED_SCHEMA_COUNT_MAX = 200;
