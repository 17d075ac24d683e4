/** Opens a stream of `/events`. `next` returns the data of the next event, or `undefined` at the end. */
export async function connect(url: string) {
  const controller = new AbortController();
  const response = await fetch(url, { signal: controller.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const block = async (): Promise<string | undefined> => {
    while (!text.includes('\n\n')) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
    const end = text.indexOf('\n\n');
    const first = text.slice(0, end);
    text = text.slice(end + 2);
    return first;
  };
  return {
    response,
    block,
    async next() {
      for (;;) {
        const found = await block();
        if (found === undefined) return undefined;
        if (found.startsWith('event: change\ndata: ')) return JSON.parse(found.slice('event: change\ndata: '.length));
      }
    },
    leave: () => controller.abort(),
  };
}
