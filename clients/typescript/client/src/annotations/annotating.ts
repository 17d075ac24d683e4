import { bodyOf, type CallOptions, clientOf, type SpandrelClient } from '../client.ts';
import { type AnnotationContent, sendInBatches, toAnnotationBody, toNote } from './annotation.ts';

type Body = ReturnType<typeof toAnnotationBody>;
type Stored = { id: string };
type OneOf<Names extends string> = Names extends `${infer Name}s` ? Name : never;
type Named<Name extends string, Value> = { readonly [Key in Name]: Value };
type AddOptions<Names extends string, Input> = CallOptions & { readonly sync?: boolean } & Named<OneOf<Names>, Input>;
type LogOptions<Names extends string, Input> = CallOptions & { readonly sync?: boolean } & Named<
    Names,
    readonly Input[]
  >;

/**
 * Functions that annotate targets of one kind.
 *
 * @param names Name of the list of annotations; that of one annotation is without its s.
 * @param toTarget Fields of the body that name the target.
 */
export function annotating<Names extends string, Input extends AnnotationContent, Target>(
  names: Names,
  toTarget: (annotation: Input) => Target,
  post: (
    server: SpandrelClient,
    options: {
      readonly params: { readonly query: { readonly sync: boolean } };
      readonly body: { data: (Body & Target)[] };
      readonly signal: AbortSignal | undefined;
    },
  ) => Promise<{ readonly data?: { readonly data: readonly Stored[] }; readonly response: Response }>,
) {
  const one = names.slice(0, -1) as OneOf<Names>;
  const log = async ({ client, signal, sync = false, ...given }: LogOptions<Names, Input>): Promise<Stored[]> => {
    const annotations = (given as unknown as Named<Names, readonly Input[]>)[names];
    const bodies = annotations.map((annotation) => ({ ...toAnnotationBody(annotation), ...toTarget(annotation) }));
    const server = clientOf(client);
    return sendInBatches(bodies, names, async (data) => {
      return (await bodyOf(post(server, { params: { query: { sync } }, body: { data }, signal }))).data;
    });
  };
  const add = async (options: AddOptions<Names, Input>): Promise<Stored | null> => {
    const { [one]: annotation, ...rest } = options;
    const [stored] = await log({ ...rest, [names]: [annotation] } as unknown as LogOptions<Names, Input>);
    return stored ?? null;
  };
  return { add, log };
}

/** A function that adds a note to a target of one kind. */
export const noting =
  <Name extends string, Input extends { readonly note: string; readonly identifier?: string }, Target>(
    name: Name,
    toTarget: (note: Input) => Target,
    post: (
      server: SpandrelClient,
      options: {
        readonly body: { data: ReturnType<typeof toNote> & Target };
        readonly signal: AbortSignal | undefined;
      },
    ) => Promise<{ readonly data?: { readonly data: Stored }; readonly response: Response }>,
  ) =>
  async ({ client, signal, ...given }: CallOptions & Named<Name, Input>): Promise<Stored> => {
    const note = (given as unknown as Named<Name, Input>)[name];
    const data = { ...toNote(note), ...toTarget(note) };
    return (await bodyOf(post(clientOf(client), { body: { data }, signal }))).data;
  };
