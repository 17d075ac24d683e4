import { findNode } from '@spandrel/client/node';
import type { BufferedExporter } from './buffered-exporter.ts';
import { EXIT_TIMEOUT_MS } from './limits.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const open = new Set<BufferedExporter>();
let isListening = false;

/**
 * Flushes an exporter when the process ends: with a request when its work is done or it is told to end, and into files when
 * it calls `process.exit`. In a browser, when the page is hidden. Returns how to stop.
 */
export function flushAtExit(exporter: BufferedExporter): () => void {
  open.add(exporter);
  if (!isListening) listen();
  return () => void open.delete(exporter);
}

const flushAll = async (): Promise<void> => {
  await Promise.all([...open].map((exporter) => exporter.flush(EXIT_TIMEOUT_MS)));
};
const endAll = (): void => {
  for (const exporter of open) exporter.endNow();
};

function listen(): void {
  isListening = true;
  const process = findNode()?.process;
  if (!process) {
    listenToPage();
    return;
  }
  let hasFlushed = false;
  process.on('beforeExit', () => {
    // Requests of the flush keep the process running, and its end emits the event again.
    if (hasFlushed || [...open].every(({ stats }) => stats.waitingSpanCount === 0)) return;
    hasFlushed = true;
    void flushAll();
  });
  process.on('exit', endAll);
  for (const signal of SIGNALS) {
    const onSignal = () => {
      // First into files: the process may be killed before the server has answered.
      for (const exporter of open) exporter.saveNow();
      // A program with a listener of its own decides itself when it ends.
      if (process.listenerCount(signal) > 1) {
        void flushAll();
        return;
      }
      void flushAll().finally(() => {
        endAll();
        process.off(signal, onSignal);
        process.kill(process.pid, signal);
      });
    };
    process.on(signal, onSignal);
  }
}

interface Page {
  readonly visibilityState?: string;
  addEventListener(type: string, listener: () => void): void;
}

function listenToPage(): void {
  const page = (globalThis as { readonly document?: Page }).document;
  page?.addEventListener('visibilitychange', () => {
    if (page.visibilityState === 'hidden') void flushAll();
  });
}
