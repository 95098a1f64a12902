/** Of the contract of stores: writes that take more than one request, that a killed process leaves, or that the store does by itself. */

import type { CallOptions, Transfer } from './contract'
import type { ObjectAttributes, Sum, Sums, WriteCondition } from './objects'

/** Multipart uploads. Every destination has them: only an upload can be resumed, and proved part by part. */
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
