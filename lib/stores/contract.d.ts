/**
 * The contract of stores: what the program asks of a store, and nothing else. A new store is a folder beside s3/ and an entry in
 * index.js; test/contract/store.js is the suite that it must pass.
 *
 * What an implementation must keep: it never repeats a call for a failure (`withRetry` does, from outside); the `…Request`
 * functions make one signed request for one attempt, and ask nothing of the network beyond credentials; every refusal is an
 * XferError of the table of errors, with the store's `facts` among its own.
 */

import type { AnswerRule, DataRequest } from '../types/data'

type XferError = import('../errors').XferError

/** An answer that is no success, to a data request. */
export interface Answer {
  of: 'read' | 'write'
  status: number | undefined
  /** The store's own code of the error, as the function has read it. */
  storeCode?: string
  /** The beginning of the answer's body, where nobody has read a code in it. */
  body?: string
  /** The write carried a checksum, and the store has taken none yet: it may be refused for that. */
  checksum?: boolean
  /** What else is known of it, for the error's facts. */
  [fact: string]: unknown
}

/** What a store says of an error beside its code: nobody else looks at the store's own codes. */
export interface RefusalFacts {
  /** There is no object of this key: said of conditional writes and of uploads too. */
  noSuchKey?: true
  /** The store does not know what it was asked for, or something in it. */
  notImplemented?: true
  /** Of a completion: the parts are not those that the store has. */
  partsDiffer?: true
  /** It may be refused because no checksum came with it. */
  mayWantChecksum?: true
  /** The request is wrong as such: it has nothing to do with the bytes of the parts. */
  ofTheRequest?: true
  /** It has to do with who asks, and when, and not with what was sent. */
  ofTheCaller?: true
  /** It is the completion of an upload that failed. */
  completes?: true
  /** The permission that the call needs, as the store names it. */
  permission?: string
  /** What to ask for, as the end of a sentence. */
  needs?: string
  /** Likewise, for writing tags. */
  needsForTags?: string
  /** Likewise, for finding and aborting uploads. */
  needsToClear?: string
}

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
  /** User metadata, without `x-amz-meta-`. */
  user: Record<string, string>
}

/** What is written with an object's bytes: all that a copy keeps of its source, or gets by option. */
export interface ObjectAttributes {
  metadata: ObjectMetadata
  /** In the source's order; absent or empty: none. */
  tags?: Array<[key: string, value: string]>
  /** As the store names it; the destination's usual one when absent. */
  storageClass?: string
  /** What the bucket does by itself when absent. A customer's own key (SSE-C) is a setting of the side, not of the object. */
  encryption?: { kind: 'AES256' } | { kind: 'aws:kms' | 'aws:kms:dsse'; keyId?: string }
}

export interface ObjectHead {
  bytes: number
  /** With its quotes, as the store sent it. */
  etag: string
  versionId?: string
  lastModifiedMs?: number
  metadata: ObjectMetadata
  /** Checksums the store keeps: base64 CRC-32 and whether it is of the whole object or of its parts' checksums. */
  checksum?: { crc32: string; type: 'FULL_OBJECT' | 'COMPOSITE' }
  /** Its ETag says nothing of its bytes, for it is encrypted with a key that the store does not keep itself (SSE-KMS, SSE-C). */
  encrypted?: boolean
  /** How it is encrypted, as far as the store says. */
  encryption?: ObjectAttributes['encryption']
  /** Absent where it is the usual one. */
  storageClass?: string
  /** How many tags it has, where the store says so: some say it to those alone who may read them, some to nobody. */
  tags?: number
  /** Where a website sends who asks for it; no copy is given one. */
  redirect?: string
  /** What else it has that a copy is not given: for people, such as `its object lock`. */
  unkept?: string[]
  /** Its Content-Encoding as its store tells it, where that names the framing of an upload (`aws-chunked`); `metadata` has it without. */
  framed?: string
}

/** What describes an object: the part of ObjectHead that its answer's describing headers tell. */
export type ObjectDescription = Pick<
  ObjectHead,
  'metadata' | 'encryption' | 'storageClass' | 'tags' | 'redirect' | 'unkept' | 'framed'
>

export interface ObjectLocation {
  scheme: 's3'
  bucket: string
  key: string
  profile?: string
}

export interface Upload {
  id: string
  /** Whether the store echoed the checksum that was asked for. */
  checksums: boolean
  /** None was asked for, by `--verify none` or `size`. */
  plain?: true
  /** Its store is known to check the checksums of its parts. */
  checked?: boolean
  /** An earlier run of the job may have asked for its completion: what came of that is not known. */
  asked?: boolean
  /** As of ObjectHead. */
  encrypted?: boolean
  /** What of the attributes the store refused. */
  without?: import('../types/public').Concession[]
  /** Why without its tags, half a sentence; absent of one that an earlier run began. */
  refusal?: string
}

export interface UploadedPart {
  partNumber: number
  etag: string
  bytes: number
  crc32?: number
}

export interface StoredPart {
  partNumber: number
  etag: string
  bytes: number
  /** Of the bytes, an unsigned 32-bit integer, where the store keeps it. */
  crc32?: number
}

export interface StoredUpload {
  key: string
  id: string
  initiatedMs?: number
  /** By whom it was begun, as the store names them; absent where it does not tell. */
  initiator?: string
}

export interface ListedObject {
  key: string
  bytes: number
  etag: string
  lastModifiedMs?: number
  /** Absent where it is the usual one. */
  storageClass?: string
  /** The store may have another key than it could write. */
  doubtful?: boolean
}

/** What the destination must hold when it is written; nothing asked when empty. */
export interface WriteCondition {
  /** No object at all. */
  ifNoneMatch?: boolean
  /** The object with this ETag. */
  ifMatch?: string
}

export interface CompletedObject {
  etag: string
  versionId?: string
  checksum?: { crc32: string; type: string }
}

/** Of an object of which the store keeps several versions, one; the newest when absent. */
export interface VersionOptions extends CallOptions {
  versionId?: string
}

/** An object in a store that is to copy it by itself, and only while it has this ETag. */
export interface CopySource {
  bucket: string
  key: string
  etag: string
  versionId?: string
  requestPayer?: boolean
  customerKey?: () => Record<string, string>
}

export interface ObjectCopy {
  from: CopySource
  key: string
  attributes: ObjectAttributes
  /** What is taken from the source as it is there, whatever the attributes say. */
  keep: { metadata: boolean; tags: boolean }
  condition?: WriteCondition
  /** Whether the store is to compute the copy's CRC-32. */
  checksum: boolean
}

export interface PartCopy {
  from: CopySource
  /** The whole object when absent. */
  range?: { start: number; end: number }
  key: string
  uploadId: string
  partNumber: number
}

export interface CallOptions {
  signal?: AbortSignal
  /** Told of each failure after which the call is repeated. */
  onRetry?: (error: XferError) => void
}

export interface Store {
  scheme: string
  /** What its errors say of it: side, bucket, endpoint. */
  facts: Record<string, any>
  /** `local` when only this machine can reach it (loopback), so that a cloud function can't. */
  reach: 'network' | 'local'
  /** For people: where the store is, without credentials. */
  endpoint: string
  /** Certificates to trust beside the usual ones, PEM. */
  ca?: string
  /** Its requests carry a customer's own key (SSE-C), which is nobody else's to have: no function's either. */
  keyed?: true
  limits: PartLimits
  /** What success looks like in the answers to its data requests, and what they tell: it goes to the action with the task. Absent: as the action assumes. */
  accepts?: { read: AnswerRule; put: AnswerRule; part: AnswerRule }
  /** What an answer to a data request means: the one place that knows the store's error codes, and the permissions to ask for. */
  explain(answer: Answer): XferError
  /** The store's clock, as its answers have shown it, in milliseconds since the epoch. */
  now(): number
  /** The store said that the credentials have expired with which this request was signed: whether there are others now. */
  renew(request: DataRequest): Promise<boolean>
  /**
   * The store refused this request, and said what time it is by its clock: whether it was signed by another one, or long ago,
   * so that it may take one that is signed now. No time: an action from before it was told.
   */
  signsAnew(request: DataRequest, dateMs: number | undefined): boolean
  /** A small request of the bucket: whether the store answers at all. What it answers is of no interest. */
  ping(options?: CallOptions): Promise<void>
  head(key: string, options?: VersionOptions): Promise<ObjectHead>
  /** In the store's order. */
  tags(key: string, options?: VersionOptions): Promise<Array<[key: string, value: string]>>
  /** In place of those that the object has. Resolves once the store has said that it took them. */
  putTags(
    put: { key: string; tags: Array<[key: string, value: string]>; versionId?: string },
    options?: CallOptions,
  ): Promise<void>
  /**
   * Whether it is known to keep content headers and user metadata as they are sent, as far as it has answered: by its host,
   * or by the name that its answers gave.
   */
  keepsMetadata(): boolean
  /**
   * The size of a part, the first when no number is given, and how many parts it was uploaded in; undefined where the
   * store does not tell.
   */
  partSize(
    key: string,
    options?: VersionOptions & { partNumber?: number },
  ): Promise<{ bytes: number; parts: number } | undefined>
  readRequest(read: {
    key: string
    etag: string
    range?: { start: number; end: number }
    versionId?: string
    /** Ask for the stored checksum, too. */
    checksum?: boolean
  }): Promise<DataRequest>
  putRequest(put: {
    key: string
    bytes: number
    attributes: ObjectAttributes
    checksum: boolean
    condition?: WriteCondition
  }): Promise<DataRequest>
  createUpload(
    create: { key: string; attributes: ObjectAttributes; checksum: boolean },
    options?: CallOptions,
  ): Promise<Upload>
  partRequest(part: {
    key: string
    uploadId: string
    partNumber: number
    bytes: number
    checksum: boolean
  }): Promise<DataRequest>
  /** One page of at most `most` parts above the number `marker`; `next` is the marker of the following one. */
  listParts(
    upload: { key: string; uploadId: string; marker?: string; most?: number },
    options?: CallOptions,
  ): Promise<{ parts: StoredPart[]; next?: string }>
  completeUpload(
    complete: {
      key: string
      uploadId: string
      parts: UploadedPart[]
      bytes: number
      crc32?: number
      condition?: WriteCondition
    },
    options?: CallOptions,
  ): Promise<CompletedObject>
  /** By the store itself; never repeated by `withRetry`, for its outcome has to be looked at first. */
  copyObject(copy: ObjectCopy, options?: CallOptions): Promise<CompletedObject>
  /** Likewise. crc32: where the store tells it. */
  copyPart(part: PartCopy, options?: CallOptions): Promise<{ etag: string; crc32?: number }>
  /**
   * Whether it is known to refuse bytes that do not fit the CRC-32 sent behind them, as far as it has answered: by its
   * host, or by the name that its answers gave.
   */
  checks(): boolean
  /** Whether what is written with this storage class cannot be read before it is restored. */
  archives(storageClass: string | undefined): boolean
  /** Whether `copyObject` is known to keep its condition at the moment of the write. */
  copiesUnderCondition: boolean
  /** Whether lists leave out `a/b` where there is an object `a`, as far as the store has answered. */
  hidesBelow(): boolean
  /** Whether `copyObject` that keeps what describes the source keeps its `expires` too, as far as the store has answered. */
  copiesExpires(): boolean
  /** Whether the store itself refuses a write of the key, which exists, where its condition does not hold. */
  heeds(write: { key: string; condition: WriteCondition }, options?: CallOptions): Promise<boolean>
  abortUpload(upload: { key: string; uploadId: string }, options?: CallOptions): Promise<void>
  /** Only the object with this ETag, where the store heeds that; or one version, which no other one is taken for. */
  remove(object: { key: string; etag?: string; versionId?: string }, options?: CallOptions): Promise<void>
  /** At most 1,000 keys; resolves to those that were not deleted. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
  removeAll(keys: string[], options?: CallOptions): Promise<Array<{ key: string; code: string; message: string }>>
  /** One page, likewise; a marker without an id is behind all uploads of its key. */
  listUploads(
    list: { prefix: string; marker?: { key: string; id?: string } },
    options?: CallOptions,
  ): Promise<{ uploads: StoredUpload[]; next?: { key: string; id?: string } }>
  /**
   * One page of at most `most` objects in key order (UTF-8 bytes), the first one of the keys above `after`; `next` is the
   * marker of the following one, for which `after` is left out. lacks: what the answer leaves out that would show, beside its
   * entries, that it is all of the page; absent where that is nothing.
   */
  list(
    list: { prefix: string; marker?: string; after?: string; most?: number },
    options?: CallOptions,
  ): Promise<{ objects: ListedObject[]; next?: string; lacks?: string[] }>
  close(): void
}
