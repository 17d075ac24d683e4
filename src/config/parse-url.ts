/** `URL.parse`, which Node 20.19 does not have. */
export const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
