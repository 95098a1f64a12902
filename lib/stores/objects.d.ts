/** Shapes of the contract of stores: their parameters and results, failed answers, and the facts of errors. */

import type { StoreTerms } from './factory'

/** Checksums by name: those that a store may support, and a task may compute. */
export type Sum = 'crc32' | 'crc32c' | 'crc64nvme' | 'md5'

/**
 * Checksums of some bytes, in lower-case hex of fixed width, most significant digit first: 8, 8, 16 and 32 digits. Only a
 * store's own folder, and the rules of its answers, know another way to write them.
 */
export type Sums = { [S in Sum]?: string }

export interface PartLimits {
  minBytes: number
  maxBytes: number
  maxParts: number
  /** Every part but the last must have the same size. */
  equalParts: boolean
}

/** Content headers and user metadata that travel with an object; names in lower case. */
export interface ObjectMetadata {
  /** Of content-type, cache-control, content-encoding, content-language, content-disposition, expires. */
  headers: Record<string, string>
  /** User metadata, by the names that the user gave. */
  user: Record<string, string>
}

/** Attributes that are written with an object's bytes: kept from the source, or set by options. */
export interface ObjectAttributes {
  metadata: ObjectMetadata
  /** In the source's order; absent or empty without tags. */
  tags?: Array<[key: string, value: string]>
  /** By the store's name; default: the destination's. */
  storageClass?: string
  /** Default: the container's. A customer's own key is a setting of the side, not of the object. */
  encryption?: { kind: string; keyId?: string }
  /** Milliseconds after which the object ends by itself, from stores with `StoreFactory.lapses`. Absent: it stays. */
  ttlMs?: number
}

export interface ObjectHead {
  bytes: number
  /** As the store sent it, with quotes. */
  etag: string
  /** What a condition of a write calls it; default: `etag`. */
  conditionEtag?: string
  versionId?: string
  lastModifiedMs?: number
  metadata: ObjectMetadata
  /** Equal for two names of one object. Absent: the store tells none. */
  identity?: string
  /** The checksums that the store keeps of the whole object. */
  sums?: Sums
  /** The checksum of its parts' CRC-32s in base64, with a dash and their number if the store tells it. */
  composite?: { crc32: string }
  /** Its ETag is not an MD5, because it is encrypted with a key that the store does not manage itself. */
  encrypted?: boolean
  /**
   * How it is encrypted, if the store tells. ownKey: what the store calls a key that the user chose, and that a copy does not
   * get; absent if the store manages the key itself.
   */
  encryption?: { kind: string; keyId?: string; ownKey?: string }
  /** Absent for the default class. */
  storageClass?: string
  /** The number of tags, if the store tells: some stores do only if the credentials may read tags, some never. */
  tags?: number
  /** Its website redirect. Copies do not get it. */
  redirect?: string
  /** Other attributes that a copy does not get, for messages, such as `its object lock`. */
  unkept?: string[]
  /** Its Content-Encoding, if it names the framing of an upload (`aws-chunked`). In `metadata` the framing is removed. */
  framed?: string
  /** What the user of a copy should know of it: of every copy, and of one in several parts. */
  notices?: { all: import('../types/events').Notice[]; ofParts: import('../types/events').Notice[] }
}

/** bytes: as far as the store tells it. body: it fails if less than the object comes. */
export interface StreamedObject extends Omit<ObjectHead, 'bytes' | 'etag'> {
  body: import('node:stream').Readable
  bytes?: number
}

/** The part of ObjectHead that the headers of a read's answer contain. */
export type ObjectDescription = Pick<
  ObjectHead,
  'metadata' | 'encryption' | 'storageClass' | 'tags' | 'redirect' | 'unkept' | 'framed'
>

export interface ListedObject {
  key: string
  bytes: number
  etag: string
  lastModifiedMs?: number
  /** Absent for the default class. */
  storageClass?: string
  /** As of ObjectHead, where the list tells them. */
  sums?: Sums
  /** What describes it, from a store whose lists tell that (`Abilities.listsMetadata`). */
  metadata?: ObjectMetadata
  /** The real key may differ: the list could not represent it. */
  doubtful?: boolean
}

/** A bucket, or what the store calls it. */
export interface ListedContainer {
  name: string
  /** When it was created or, where the store tells only that, last changed. */
  createdMs?: number
}

/** The condition of a write; none when empty. */
export interface WriteCondition {
  /** There must be no object. */
  ifNoneMatch?: boolean
  /** The object must have this ETag. */
  ifMatch?: string
}

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
