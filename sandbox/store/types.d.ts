import type { Identity } from './auth'
import type { Catalog } from './catalog'
import type { Algorithm } from '../common/checksums'
import type { Answer as CommonAnswer, Context as StoreContext, RequestEvent as StoreEvent } from '../common/types'
import type { Running, Segment, Sorted, State as StoreState } from '../common/types'
import type { Account, BucketOptions, Settings, StoreOptions } from './settings'

export type { Account, BucketOptions, Settings, StoreOptions }
export type { FaultRule, Segment } from '../common/types'

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
export type Encryption = { method: string; keyId?: string } | { customerKeyMd5: string }

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
  objects: Sorted<StoredObject>
  /** All versions of each key, oldest first; absent if the bucket keeps none. */
  versions?: Map<string, Array<StoredObject | DeleteMarker>>
  uploads: Map<string, Upload>
}

/** The state that handlers use. */
export interface State extends StoreState {
  options: Settings
  catalog: Catalog
  /** Answers of completed uploads, for repeated completions. */
  completed: Map<string, { bucket: string; key: string; answer: Answer }>
  /** `bucket/key` of which the next HEAD gets a wrong answer, with `headAfterPut`. */
  unsettled: Set<string>
}

/** One parsed request. */
export interface Context extends StoreContext {
  state: State
  requestId: string
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
export interface RequestEvent extends StoreEvent {
  partNumber?: number
  uploadId?: string
  /** In `begin`, before the request is authenticated: as the request claims. */
  accessKeyId?: string
}

export interface KeptObject extends Description {
  key: string
  etag: string
  bytes: Buffer
}

export interface RunningStore extends Running<RequestEvent> {
  /** `http://127.0.0.1:PORT` */
  endpoint: string
  /** Of the first account. */
  accessKeyId: string
  secretAccessKey: string
  region: string
  createBucket(name: string): void
  /** Adds an account. Its `expiresMs` may be changed later. */
  addAccount(account: Account): void
  /** What a bucket really holds: not asked by a request, so that no quirk and no fault has a part in the answer. */
  look(bucket: string): Promise<{ objects: KeptObject[]; uploads: { id: string; key: string; parts: number }[] }>
}
