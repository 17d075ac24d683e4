import { appUrl } from '../../../router/app-url.ts';

/** Address of this server without a slash at the end, for code of other programs. */
export const serverUrl = (): string => new URL(appUrl(''), window.location.origin).href.replace(/\/$/, '');
