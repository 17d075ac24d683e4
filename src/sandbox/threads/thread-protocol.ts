/** A task as it is sent to a thread. */
export interface TaskMessage<Task> {
  readonly id: number;
  readonly task: Task;
}

/**
 * `running`: the runtime of the task is loaded, and its time starts. A task gets one response, after `running`. `shared`: a
 * value that later threads of the pool get when they start.
 */
export type FromThread<Result> =
  | TaskState<Result>
  | { readonly type: 'shared'; readonly key: string; readonly value: unknown };

export type TaskState<Result> =
  | { readonly type: 'running'; readonly id: number }
  | { readonly type: 'done'; readonly id: number; readonly result: Result }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };
