/** An address at which no model may be called. The message names the host only. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
}
