/** Part that must be closed. */
export interface Closable {
  close(): Promise<void> | void;
}

/** Registers a part that was opened, and returns it. */
export type Keep = <Part extends Closable>(part: Part) => Part;

/**
 * Opens parts one after another. `close` closes the parts that were given to `keep` in reverse order, once. If `open`
 * fails, the parts that were already open are closed.
 */
export async function openParts<Parts extends object>(
  open: (keep: Keep) => Promise<Parts>,
): Promise<Parts & { close(): Promise<void> }> {
  const opened: Closable[] = [];
  const close = async () => {
    for (let part = opened.pop(); part; part = opened.pop()) await part.close();
  };
  try {
    const parts = await open((part) => {
      opened.push(part);
      return part;
    });
    return { ...parts, close };
  } catch (error) {
    await close();
    throw error;
  }
}
