import type { EventEmitter } from 'node:events'
import type { Identity } from './auth'
import type { Blobs } from '../common/blobs'
import type { Catalog } from './catalog'
import type { Algorithm } from '../common/checksums'
import type { Faults } from './faults'
import type { Answer as CommonAnswer, Received, Segment } from '../common/types'
import type { Account, BucketOptions, FaultRule, Settings, StoreOptions } from './settings'

export type { Account, BucketOptions, FaultRule, Settings, StoreOptions }
export type { Segment } from '../common/types'

export interface StoredChecksum {
  algorithm: Algorithm
  /** Base64; with `-N` if composite. */
  value: string
}

export interface StoredPart {
  number: number
  size: number
  /** Hex, without quotes. */
  etag: string
  modifiedMs: number
  segments: Segment[]
  checksum?: StoredChecksum
  /** Its checksum does not match its bytes, which is detected when its upload is completed. */
  damaged?: boolean
}

/** The attributes of an object in a create or put request. */
export interface Description {
  /** Content headers, names in lower case. */
  content: Record<string, string>
  /** User metadata, names in lower case, with their `x-amz-meta-`. */
  user: Record<string, string>
  tags: [key: string, value: string][]
  /** Absent for STANDARD. */
  storageClass?: string
  /** As requested; when absent, what the store reports for all objects. */
  encryption?: Encryption
}

/** With a key of the store or of a key service; or with the customer's, whose MD5 is stored, base64. */
export type Encryption = { method: string; keyId?: string; bucketKey?: boolean } | { customerKeyMd5: string }

export interface StoredObject extends Description {
  key: string
  size: number
  /** Without quotes. */
  etag: string
  modifiedMs: number
  segments: Segment[]
  checksum?: StoredChecksum & { type: ChecksumType }
  /** In a bucket that keeps versions. */
  versionId?: string
  /** Grows with every write, in microseconds since the epoch or more. */
  generation?: string
  /** Of an object made of parts. */
  parts?: { number: number; size: number; checksum?: StoredChecksum }[]
}

/** Marks a key as deleted, if versions are kept. */
export interface DeleteMarker {
  key: string
  versionId: string
  modifiedMs: number
  deleteMarker: true
}

export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE'

export interface Upload extends Description {
  id: string
  key: string
  initiatedMs: number
  /** unasked: by `defaultChecksum`. */
  checksum?: { algorithm: Algorithm; type: ChecksumType; unasked?: true }
  parts: Map<number, StoredPart>
}

export interface Bucket {
  name: string
  region: string
  publicRead: boolean
  discard: boolean
  createdMs: number
  /** The current objects. */
  objects: Map<string, StoredObject>
  /** All versions of each key, oldest first; absent if the bucket keeps none. */
  versions?: Map<string, Array<StoredObject | DeleteMarker>>
  uploads: Map<string, Upload>
}

/** The state that handlers use. */
export interface State {
  options: Settings
  catalog: Catalog
  blobs: Blobs
  faults: Faults
  events: EventEmitter
  /** Milliseconds, by the store's own clock. */
  now(): number
  /** Answers of completed uploads, for repeated completions. */
  completed: Map<string, { bucket: string; key: string; answer: Answer }>
  /** `bucket/key` of which the next HEAD gets a wrong answer, with `headAfterPut`. */
  unsettled: Set<string>
}

/** One parsed request. */
export interface Context extends Received {
  state: State
  requestId: string
  hostId: string
  query: Map<string, string>
  bucketName?: string
  /** Of operations on objects. */
  key?: string
  identity?: Identity
  /** The bucket; throws NoSuchBucket. */
  bucket(): Bucket
  /** In the mode `google`: whether the client accepts gzip, and whether it speaks in Google's own words. */
  google?: { gzip: boolean; own: boolean }
}

export interface Answer extends CommonAnswer {
  /** The object that it is about, if that is one alone. */
  object?: StoredObject
}

export type Handler = (ctx: Context) => Answer | Promise<Answer>

/** The event of `on('begin')` and `on('request')`. */
export interface RequestEvent {
  operation: string
  method: string
  bucket?: string
  key?: string
  partNumber?: number
  uploadId?: string
  /** Of a GET, or of the source of a copied part. */
  range?: string
  /** In `begin`, before the request is authenticated: as the request claims. */
  accessKeyId?: string
  /** In `request`: absent if the connection was cut before an answer. */
  status?: number
  code?: string
  bytesReceived: number
  bytesSent: number
}

export interface KeptObject extends Description {
  key: string
  etag: string
  bytes: Buffer
}

export interface RunningStore {
  /** `http://127.0.0.1:PORT` */
  endpoint: string
  port: number
  /** Of the first account. */
  accessKeyId: string
  secretAccessKey: string
  region: string
  dir: string
  faults: Pick<Faults, 'add' | 'clear'>
  /** Requests so far, by operation; a request is counted before it is answered. */
  requests: Record<string, number>
  /**
   * `begin` when a request's head has been read, `request` when the request is finished, which may be a moment after its
   * client has the complete answer.
   */
  on(event: 'begin' | 'request', listener: (event: RequestEvent) => void): void
  off(event: 'begin' | 'request', listener: (event: RequestEvent) => void): void
  createBucket(name: string, options?: BucketOptions): void
  /** Sets its clock forward, or back where negative. */
  stepClock(ms: number): void
  /** Adds an account. Its `expiresMs` may be changed later. */
  addAccount(account: Account): void
  /** What a bucket really holds: not asked by a request, so that no quirk and no fault has a part in the answer. */
  look(bucket: string): Promise<{ objects: KeptObject[]; uploads: { id: string; key: string; parts: number }[] }>
  /** Ends every connection, and removes the folder where it is a temporary one. */
  close(): Promise<void>
}
