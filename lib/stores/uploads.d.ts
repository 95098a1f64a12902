/** Of the contract of stores: writes that take more than one request, or that a killed process leaves. */

import type { CallOptions, Transfer } from './contract'
import type {
  CompletedObject,
  ObjectAttributes,
  StoredPart,
  StoredUpload,
  Sum,
  Sums,
  Upload,
  UploadedPart,
  WriteCondition,
} from './objects'

/** Multipart uploads. Every destination has them: only an upload can be resumed, and proved part by part. */
export interface MultipartUpload {
  /** The attributes of the object are written by `complete`, and refused by it. Absent: by `create`. */
  readonly attributesAt?: 'completion'
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
