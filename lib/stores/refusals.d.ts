/** Of the contract of stores: failed answers, and the facts of the errors that a store makes of them. */

import type { StoreTerms } from './factory'

/** A failed answer to a data request. */
export interface Answer {
  of: 'read' | 'write'
  status: number | undefined
  /** The store's error code, as the function read it. */
  storeCode?: string
  /** The beginning of the answer's body, if the code has not been read from it. */
  body?: string
  /** Further facts for the error. */
  [fact: string]: unknown
}

/**
 * Facts of every error of a store. Callers of the library see them, so their names stay; `bucket` is the container of any
 * store, whatever the store calls it (`terms.container`).
 */
export interface StoreFacts {
  side: 'source' | 'destination'
  /** The name of its protocol, for messages. */
  protocol: string
  bucket: string
  /** For messages: where the store is. Contains no credentials. */
  endpoint: string
  /** The place as it was opened. */
  location?: string
  /** As of its factory. */
  terms?: StoreTerms
  [fact: string]: any
}

/** Facts of an error that a store adds to its code. Only the store's folder knows the store's own codes. */
export interface RefusalFacts {
  /** The object does not exist. Conditional writes and uploads may fail so too. */
  noSuchKey?: true
  /** The store does not support the request, or a part of it. */
  notImplemented?: true
  /** For a completion: the parts differ from those that the store has. */
  partsDiffer?: true
  /** The request itself is wrong: the bytes of the parts are not the reason. */
  ofTheRequest?: true
  /** The reason is the caller or the time, not the bytes that were sent. */
  ofTheCaller?: true
  /** The failed call is the completion of an upload. */
  completes?: true
  /** The permission that the call needs, by the store's name. */
  permission?: string
  /** The permissions to ask for, as the end of a sentence. */
  needs?: string
  /** As `needs`, for writing tags. */
  needsForTags?: string
  /** As `needs`, for finding and aborting uploads. */
  needsToClear?: string
}
