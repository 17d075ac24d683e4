/** A task as it is sent to a thread. */
export interface TaskMessage<Task> {
  readonly id: number;
  readonly task: Task;
}

/** `running`: the runtime of the task is loaded, and its time starts. A task is answered once, after `running`. */
export type FromThread<Result> =
  | { readonly type: 'running'; readonly id: number }
  | { readonly type: 'done'; readonly id: number; readonly result: Result }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };
