/** A limit of a vendor with what is left of it, as the headers of a response state it. */
export interface VendorLimit {
  /** Name in the headers, for example `requests` or `input-tokens`. Empty for a limit without a name. */
  readonly name: string;
  readonly unit: 'requests' | 'tokens';
  /** Size of the limit when it is full. Above 0. */
  readonly limit: number;
  /** From 0 to the limit. */
  readonly remaining: number;
  /** Time until the limit is full again. Above 0. */
  readonly resetMs: number;
}
