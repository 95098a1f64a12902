/** The settings of an HTTPS source, and what its first answer tells. */

import type { ObjectHead, Place, StoreSettings } from '../contract'

/** container: the host, with a port that is not the usual one. key: the path without its first slash, percent-encoded. */
export interface HttpsPlace extends Place {
  scheme: 'https' | 'http'
  /** With its question mark, or an empty text: a secret. */
  query(): string
}

/** Secrets are behind functions, which are never printed, journaled or sent. */
export interface HttpsSettings extends StoreSettings {
  /** The origin. */
  endpoint: string
  /** The whole address: a secret, because of its query. */
  url(): string
  /** What the user sends to this origin, names in lower case: secrets. */
  headers(): Record<string, string>
  /** Why functions may not have the address. Absent: they may. */
  secret?: { name: string; advice: string }
}

/** What is known of an object once it is found. */
export interface Found {
  /** Where it is read: a secret. */
  url: string
  /** Whether that is another address than the one that was given. */
  redirected: boolean
  bytes: number
  /** By what a change is noticed. */
  pin: Pin
  /** What answers must repeat: the ETag, or the date of `last`, or an empty text. */
  etag: string
  /** Whether the ETag is an MD5, as far as that can be known. */
  md5Tag: boolean
  /** `Last-Modified`, as it was sent. */
  modified?: string
  description: Pick<ObjectHead, 'metadata' | 'sums' | 'lastModifiedMs'>
}

/** strong, weak: by an ETag of this kind; date: by `Last-Modified`; size: by nothing but the size. */
export type Pin = 'strong' | 'weak' | 'date' | 'size'
