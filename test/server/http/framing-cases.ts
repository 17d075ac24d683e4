/** A raw request whose end two parsers may see at different offsets, with the following bytes of the connection. */
export interface FramingCase {
  readonly what: string;
  /** Everything before the smuggled request as one of the parsers sees it. */
  readonly text: string;
  /** False if an engine responds to it as to another request. */
  readonly isAnswered?: boolean;
}

const HOST = 'Host: x\r\n';
const head = (...lines: string[]): string =>
  `POST /body HTTP/1.1\r\n${HOST}${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
export const chunked = (body: string): string => head('Transfer-Encoding: chunked') + body;
const CHUNKS = '3\r\nabc\r\n0\r\n\r\n';

/** A request that a proxy does not allow and an attacker tries to smuggle. */
export const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n`;

/** Requests that must be rejected by their headers before any handler runs. */
export const AMBIGUOUS_HEADS: readonly FramingCase[] = [
  { what: 'an unknown transfer encoding', text: head('Transfer-Encoding: xchunked') + CHUNKS },
  { what: 'a list of transfer encodings', text: head('Transfer-Encoding: gzip, chunked') + CHUNKS },
  { what: 'chunked that is not the last encoding', text: head('Transfer-Encoding: chunked, identity') + CHUNKS },
  { what: 'two transfer encodings', text: head('Transfer-Encoding: chunked', 'Transfer-Encoding: identity') + CHUNKS },
  { what: 'identity with a length', text: `${head('Transfer-Encoding: identity', 'Content-Length: 3')}abc` },
  { what: 'a length before chunked', text: head('Content-Length: 3', 'Transfer-Encoding: chunked') + CHUNKS },
  { what: 'a length after chunked', text: head('Transfer-Encoding: chunked', 'Content-Length: 3') + CHUNKS },
  {
    what: 'a length beside an unknown encoding',
    text: `${head('Content-Length: 3', 'Transfer-Encoding: xchunked')}abc`,
  },
  { what: 'a blank before the colon', text: head('Transfer-Encoding : chunked') + CHUNKS },
  { what: 'a control character before chunked', text: head('Transfer-Encoding: \x0bchunked') + CHUNKS },
  { what: 'two lengths that differ', text: `${head('Content-Length: 3', 'Content-Length: 30')}abc` },
  { what: 'a list of lengths', text: `${head('Content-Length: 3, 3')}abc` },
  { what: 'a length with a sign', text: `${head('Content-Length: +3')}abc` },
  { what: 'a length in hexadecimal', text: `${head('Content-Length: 0x3')}abc` },
  { what: 'a negative length', text: `${head('Content-Length: -1')}abc` },
  { what: 'an empty length', text: head('Content-Length: ') },
  { what: 'a bare line feed between headers', text: `GET / HTTP/1.1\r\n${HOST}X: a\nContent-Length: 100\r\n\r\n` },
  { what: 'a folded header', text: head('Content-Length: 3', ' 0') },
  { what: 'a header without a colon', text: head('Content-Length') },
  { what: 'a NUL in a header', text: head('X: a\0b') },
  { what: 'two hosts', text: `GET / HTTP/1.1\r\n${HOST}Host: y\r\n\r\n` },
  { what: 'a list of hosts', text: 'GET / HTTP/1.1\r\nHost: x, y\r\n\r\n' },
  { what: 'a host with a path', text: 'GET / HTTP/1.1\r\nHost: x/y\r\n\r\n' },
  { what: 'a host with a user', text: 'GET / HTTP/1.1\r\nHost: y@x\r\n\r\n' },
];

/** Requests after which no other request may be handled. */
export const AMBIGUOUS_CHUNKS: readonly FramingCase[] = [
  { what: 'chunk lines that end in a bare line feed', text: chunked('3\nabc\n0\n\n') },
  { what: 'a line feed in a chunk extension', text: chunked('3;x\nabc\r\n0\r\n\r\n') },
  { what: 'a quoted line break in a chunk extension', text: chunked('3;x="\r\nabc\r\n0\r\n\r\n') },
  { what: 'other bytes in place of the line break after a chunk', text: chunked('3\r\nabcXX0\r\n\r\n') },
  { what: 'other bytes in place of the last line break', text: chunked('3\r\nabc\r\n0\r\nXY') },
  { what: 'nothing in place of the last line break', text: chunked('3\r\nabc\r\n0\r\n') },
  { what: 'a blank before a chunk size', text: chunked(' 3\r\nabc\r\n0\r\n\r\n') },
  { what: 'a blank after a chunk size', text: chunked('3 \r\nabc\r\n0\r\n\r\n') },
  { what: 'a chunk size with a prefix', text: chunked('0x3\r\nabc\r\n0\r\n\r\n') },
  { what: 'a negative chunk size', text: chunked('-3\r\nabc\r\n0\r\n\r\n') },
  { what: 'a chunk size that is no number', text: chunked('zz\r\nabc\r\n0\r\n\r\n') },
  { what: 'a chunk size of more than 64 bits', text: chunked('10000000000000003\r\nabc\r\n0\r\n\r\n') },
  { what: 'an empty chunk size', text: chunked('\r\n3\r\nabc\r\n0\r\n\r\n') },
  {
    what: 'a trailer that is a request',
    text: chunked('3\r\nabc\r\n0\r\nXXGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'),
  },
];

/** Valid but rare requests. The following request may be handled or not, but must be parsed at the right offset. */
export const RARE_CHUNKS: readonly FramingCase[] = [
  { what: 'a chunk extension', text: chunked('3;name=value\r\nabc\r\n0\r\n\r\n') },
  { what: 'a trailer', text: chunked('3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n'), isAnswered: false },
  {
    what: 'an announced trailer',
    text: `${head('Transfer-Encoding: chunked', 'Trailer: X-Trailer')}3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n`,
  },
];
