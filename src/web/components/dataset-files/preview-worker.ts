import type { PreviewRequest } from './file-preview.ts';
import { parsePreview } from './parse-preview.ts';

// A thread of its own, so that the page stays usable while a megabyte with 10,000 columns is parsed.
addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => {
  postMessage(parsePreview(data));
});
