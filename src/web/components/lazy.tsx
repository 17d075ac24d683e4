import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { checkConnection, isUp, recovery } from '../data/connection.ts';
import { useMissingPanel } from './missing-panels.ts';

/** Component whose code is loaded when it is first shown or by `preload`. */
export type LazyComponent<Props> = ((props: Props) => ReactNode) & { readonly preload: () => Promise<void> };

/**
 * Component in a separate chunk. A loaded chunk is rendered at once. React's `lazy` is not used, because it delays
 * content after a fallback by 300 ms.
 *
 * @param fallback Shown while the chunk loads, and during an outage of the server. If a chunk fails to load without an
 * outage, the component throws the error, and a retry of the component loads the chunk again.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (props: Props) => ReactNode = nothing,
): LazyComponent<Props> {
  const chunk: Chunk<Props> = { fallback, preload };
  let loading: Promise<void> | undefined;
  function preload(): Promise<void> {
    loading ??= load().then(
      (component) => {
        chunk.Loaded = component;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }
  return Object.assign((props: Props) => <OfChunk chunk={chunk} props={props} />, { preload });
}

interface Chunk<Props> {
  readonly fallback: (props: Props) => ReactNode;
  readonly preload: () => Promise<void>;
  /** Absent until the chunk is loaded. */
  Loaded?: ComponentType<Props>;
}

function OfChunk<Props extends object>({ chunk, props }: { readonly chunk: Chunk<Props>; readonly props: Props }) {
  const { Loaded, fallback, preload } = chunk;
  const [failed, setFailed] = useState<{ readonly error: unknown }>();
  const [hasLoaded, setLoaded] = useState(Loaded !== undefined);
  const [isWaiting, setWaiting] = useState(false);
  useMissingPanel(isWaiting && !hasLoaded);
  useEffect(() => {
    let isGone = false;
    const read = async () => {
      try {
        await preload().catch(async (error: unknown) => {
          await checkConnection();
          // Without an outage, the failure is final.
          if (isUp()) throw error;
          if (!isGone) setWaiting(true);
          await recovery();
          await preload();
        });
        if (!isGone) setLoaded(true);
      } catch (error) {
        if (!isGone) setFailed({ error });
      }
    };
    void read();
    return () => {
      isGone = true;
    };
  }, [preload]);
  if (failed) throw failed.error;
  return Loaded ? <Loaded {...props} /> : fallback(props);
}

const nothing = (): ReactNode => null;
