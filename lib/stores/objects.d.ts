/**
 * Shapes of the contract of stores: their parameters and results, failed answers, and the facts of errors; and writes that take more than
 * one request, that a killed process leaves, or that the store does by itself.
 */

import type { CallOptions, Transfer } from './contract'
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
  /** As of ListedObject. */
  marksFolder?: true
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
  notices?: { all: import('../types').Notice[]; ofParts: import('../types').Notice[] }
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
  /** When a file was last written, named or given its time (its ctime), whatever time it was given. */
  changedMs?: number
  /** Absent for the default class. */
  storageClass?: string
  /** As of ObjectHead, where the list tells them. */
  sums?: Sums
  /** What describes it, from a store whose lists tell that (`Abilities.listsMetadata`). */
  metadata?: ObjectMetadata
  /** Its metadata say that it marks the folder of its name. */
  marksFolder?: true
  /** The real key may differ: the list could not represent it. */
  doubtful?: boolean
  /** Of a doubtful one: it cannot be listed, and nothing that is below it where the key ends in a slash. */
  cause?: import('../types').XferError
  /** A manifest names this version. */
  versionId?: string
  /** A manifest names it: if it is not that any more, its copy fails. */
  pinned?: true
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
  /** Of the object, if the request was of one. */
  key?: string
  /** What the store said, as a clause. */
  reason?: string
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

/** Multipart uploads: only an upload can be resumed, and proved part by part. */
export interface MultipartUpload {
  /** May make the upload's id without a request. */
  create(
    create: { key: string; attributes: ObjectAttributes; checksum: boolean; bytes?: number },
    options?: CallOptions,
  ): Promise<Upload>
  /** start: the offset of its first byte in the object. */
  part(part: {
    key: string
    uploadId: string
    partNumber: number
    bytes: number
    start?: number
    checksum: boolean
  }): Promise<Transfer>
  /**
   * One page of stored parts with numbers above `marker`, of at most `most` numbers; `next` is the marker of the next page. A
   * store that keeps what each attempt wrote lists a number more than once, all on one page.
   *
   * ranges: the parts to look for, in order, with the checksums that are known of them. A store that does not keep where parts
   * begin reads these ranges, and computes those checksums of what it has there.
   */
  parts(
    upload: {
      key: string
      uploadId: string
      marker?: string
      most?: number
      ranges?: Array<{ partNumber: number; start: number; bytes: number; sums?: Sum[] }>
    },
    options?: CallOptions,
  ): Promise<{ parts: StoredPart[]; next?: string }>
  complete(
    complete: {
      key: string
      uploadId: string
      parts: UploadedPart[]
      bytes: number
      /** Of the whole object, for an upload with checksums. */
      sums?: Sums
      condition?: WriteCondition
      /** The same as for `create`. */
      attributes: ObjectAttributes
    },
    options?: CallOptions,
  ): Promise<CompletedObject>
  /**
   * The ETag of the object if it is made of exactly these parts, and nobody else's can have their tags. Absent: the store tells of no
   * object what it is made of.
   */
  made?(
    made: { key: string; parts: ReadonlyArray<{ etag: string }> },
    options?: CallOptions,
  ): Promise<string | undefined>
  /** Absent if the store has no such call: its parts lapse. */
  abort?(upload: { key: string; uploadId: string }, options?: CallOptions): Promise<void>
  /** If there is no `abort`: when the store removes parts that no upload was completed with. */
  lapse?: Lapse
  /** One page of uploads that are neither completed nor aborted. A marker without an id follows all uploads of its key. */
  pending(
    list: { prefix: string; marker?: { key: string; id?: string } },
    options?: CallOptions,
  ): Promise<{ uploads: StoredUpload[]; next?: { key: string; id?: string } }>
}

/**
 * afterMs: how long after the last part of the object. words: the same for people, a clause: `the store removes such parts a week
 * after the last one`.
 */
export interface Lapse {
  afterMs: number
  words: string
}

/** For a store whose writes leave something if their process is killed. */
export interface Leftovers {
  /** What is written from now on belongs to this job. */
  note(job: string): void
  /** Removes what earlier processes of the job have left below a prefix. Nothing of this process may be in flight. */
  sweep(prefix: string, options?: CallOptions): Promise<void>
}

/**
 * Copies by the store itself, between places whose `Identity.copies` is equal. `withRetry` never retries them, because the
 * outcome of a failed one must be checked first.
 */
export interface ServerCopy {
  /** It is known to check the condition of `object` atomically with the write. */
  readonly conditional: boolean
  /** It copies an object of any size by one request, and no parts. */
  readonly wholeOnly?: true
  /** It copies parts into an upload with checksums. */
  readonly takesSums: boolean
  /** A copy that keeps the source's metadata also keeps its `expires`. */
  readonly keepsExpires: boolean
  /** An object of this store as the source of a copy. */
  source(object: { key: string; etag: string; versionId?: string }): CopySource
  object(copy: ObjectCopy, options?: CallOptions): Promise<CompletedObject>
  /** A part of an upload. sums: those that the store tells. */
  part(part: PartCopy, options?: CallOptions): Promise<{ etag: string; sums?: Sums }>
}

/** An object of another store. lend: resolves to a new URL that is good for reading it, a secret; etag: it must still have this one. */
export interface Lent {
  lend(): Promise<string>
  etag: string
}

/** The store reads a part from a URL that another store lends. `withRetry` never retries it. */
export interface Pull {
  /**
   * answered: the checksums that the store computed of what it read. Throws COPY_REFUSED if an engine may still succeed;
   * SOURCE_CHANGED.
   */
  part(part: Omit<PartCopy, 'from'> & { from: Lent }, options?: CallOptions): Promise<{ etag: string; answered?: Sums }>
}

export interface Upload {
  id: string
  /** Whether the store confirmed the requested checksum. */
  checksums: boolean
  /** No checksum was requested, because of `--verify none` or `size`. */
  plain?: true
  /** The store is known to check the checksums of the parts. */
  checked?: boolean
  /** An earlier run of the job may have requested its completion, with unknown outcome. */
  asked?: boolean
  /** As in ObjectHead. */
  encrypted?: boolean
}

export interface UploadedPart {
  partNumber: number
  etag: string
  bytes: number
  sums?: Sums
}

/** sums: of the bytes, as far as the store keeps them. */
export type StoredPart = UploadedPart

export interface StoredUpload {
  key: string
  id: string
  initiatedMs?: number
  /** Who created it, by the store's name; absent if the store does not tell. */
  initiator?: string
}

export interface CompletedObject {
  etag: string
  versionId?: string
  /** Of the whole object, as the store tells them. */
  sums?: Sums
}

/**
 * The source of a copy by the store itself, which is made only if the object has the ETag that it was made with. Only its store
 * reads it, so its type tells nothing.
 */
export type CopySource = object

export interface ObjectCopy {
  from: CopySource
  key: string
  attributes: ObjectAttributes
  /** Attributes that the store copies from the source, whatever `attributes` says. */
  keep: { metadata: boolean; tags: boolean }
  condition?: WriteCondition
  /** The checksum that the store computes of the copy. Absent: as it does without being asked. */
  checksum?: Sum
}

export interface PartCopy {
  from: CopySource
  /** The whole object when absent. */
  range?: { start: number; end: number }
  key: string
  uploadId: string
  partNumber: number
}

/** What is known of what a store costs. */
export interface Billed {
  /** Requests so far, by kind, those of tasks included: live counts of `noRequests` in lib/cost. Absent: nobody bills them. */
  readonly requests?: Record<string, number>
  /** For a forecast: the requests of an upload beside its parts, by kind; and how many objects one request deletes. */
  readonly costs?: { upload: Record<string, number>; removes: number }
  /** Whose it is, by the name that lists of prices have; absent: nobody's that is known. */
  readonly provider?: string
}
