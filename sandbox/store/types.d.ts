import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Identity } from './auth'
import type { Blobs } from './blobs'
import type { Catalog } from './catalog'
import type { Algorithm } from './checksums'
import type { Effects, Faults } from './faults'

export interface Account {
  accessKeyId: string
  secretAccessKey: string
  /** A temporary key: requests must carry it. */
  sessionToken?: string
  /** From when it is refused (ExpiredToken), by the store's clock, milliseconds since the epoch. */
  expiresMs?: number
  /** The only buckets this account may touch; all when absent. */
  buckets?: string[]
  /** Refuse its writes. */
  readOnly?: boolean
  /** The only IAM actions it has, as `s3:GetObject`; all when absent. */
  actions?: string[]
}

export interface BucketOptions {
  /** Default: the store's. */
  region?: string
  /** Anyone may list it and read its objects without a signature. */
  publicRead?: boolean
  /** Count and check what is written to it, and keep none of the bytes. */
  discard?: boolean
  /** Keep every version of a key: what is replaced or deleted is found by its version id. */
  versions?: boolean
}

export interface StoreOptions {
  /** The address to listen on; default `127.0.0.1`. */
  host?: string
  /** Default 0: any free one. */
  port?: number
  /** Where things are kept, and found again; default a fresh temporary folder that `close` removes. */
  dir?: string
  /** Default: one random pair. */
  accounts?: Account[]
  /** Default `us-east-1`. */
  region?: string
  /** Made at the start, where they don't exist. */
  buckets?: (string | ({ name: string } & BucketOptions))[]
  /** Default true. False: a store from before 2022, that ignores checksum headers and refuses trailers. */
  checksums?: boolean
  /** What a store without checksums answers to a body with trailers: 501 (NotImplemented, default) or 411. */
  trailerStatus?: 501 | 411
  /** Default true. False: If-Match and If-None-Match are ignored on writes. */
  conditions?: boolean
  /** Default true. False: ETags say nothing about the bytes, as with SSE-KMS. */
  md5Etags?: boolean
  /** Those that say nothing look like MD5s all the same, and have no dash; default false. */
  plainEtags?: boolean
  /** Default false. True: a part that comes in while its upload ends brings the upload back, as where uploads are folders. */
  lateParts?: boolean
  /** What it says of every object (`x-amz-server-side-encryption`), as `aws:kms`; it does not encrypt. */
  encryption?: string
  /** Smallest part but the last; default 5 MiB. */
  minPartBytes?: number
  /** Default 10,000. */
  maxParts?: number
  /** Largest part and largest single PUT; default 5 GiB. */
  maxPartBytes?: number
  /** Entries a page of any listing, by default and at most; default 1,000. */
  pageSize?: number
  /** How far the store's clock is ahead; default 0. */
  clockSkewMs?: number
  /** Requests to `<bucket>.<domain>` are virtual-host style; default `s3.localhost`. */
  domain?: string
  /** Refuse parts without a checksum in every upload that was created with one, as MinIO does; default false. */
  requirePartChecksums?: boolean
  /** Default true: a completion that is asked for again is answered again. False: its upload is gone, as with MinIO. */
  rememberCompletions?: boolean
  /** How long an idle connection is kept; default 20,000. */
  keepAliveMs?: number
  /** Serve HTTPS: PEM texts. */
  tls?: { key: string; cert: string }
  /** Objects that are made up while they are read: `bucket/key` → bytes. Their buckets are made. */
  synthetic?: Record<string, number>
  /** How to misbehave from the start. */
  faults?: FaultRule[]
  /** Of the dice of the fault rules that have no seed of their own; default 1. */
  seed?: number

  // --- quirks: where stores of other make differ from S3 (quirks.js); modes.js has combinations of them
  /** What its `Server` header says; default `xfer-sandbox`. Empty: it sends none. */
  serverName?: string
  /** Default `removed`. The aws-chunked framing of bodies is stored as if it were data: always, or beside another Content-Encoding. */
  framing?: 'removed' | 'kept' | 'kept-with-encoding'
  /**
   * Default true. False: checksums, in headers and trailers, are taken and never compared with the bytes. `completion`: that of a
   * part is compared when its upload is completed, which is then refused with 400.
   */
  checksumCheck?: boolean | 'completion'
  /**
   * What a store that compares nothing does with the checksums it is sent: keeps and echoes them all (`sent`, default); those of
   * uploads and completions, not of bodies (`uploads`); none (`none`).
   */
  checksumEcho?: 'sent' | 'uploads' | 'none'
  /** Default true. False: a part number that is there already is refused with 501. */
  replaceParts?: boolean
  /** Default `answered`. A GET or HEAD with `partNumber` is answered as if it had none, or with 501. */
  partNumberHead?: 'answered' | 'ignored' | 501
  /** Default false. True: of keys that end in a slash no bytes are kept, whatever is sent; the ETag is that of what was sent. */
  emptyFolders?: boolean
  /** Default `right`. What the first HEADs after a write say: that there is nothing, or a size that is one too small. */
  headAfterPut?: 'right' | 404 | 'wrong-size'
  /** How many HEADs those are; default 1. */
  headsAfterPut?: number
  /** Default `none`. Keys that differ only in case, or in their Unicode form, are one; `nfc` also changes the name that is told. */
  foldNames?: 'none' | 'case' | 'nfc'
  /** Default `checked`. A completion with `x-amz-mp-object-size` is refused with 501. */
  completionSize?: 'checked' | 501
  /**
   * Default `of-parts`. `of-bytes`: an object made of parts has the MD5 of its bytes as its ETag, while its completion is answered with
   * that of its parts.
   */
  uploadEtag?: 'of-parts' | 'of-bytes'
  /** Default true. False: the tags of objects made of parts are lost. */
  multipartTags?: boolean
  /** Default `kept`. Tags are dropped, and a request with `?tagging` is one for the object: a PUT writes its body over it. */
  tagging?: 'kept' | 'ignored'
  /** Default `cleaned`. `aws-chunked` stays in the Content-Encoding: where there is another one beside it, or always. */
  contentEncoding?: 'cleaned' | 'kept-aws-chunked' | 'kept-always'
  /** Content headers that are not kept, in lower case; default none. */
  droppedHeaders?: string[]
  /** A tag of this key is refused with 400; default none. */
  refusedTagKey?: string
  /**
   * Default `right`. What is wrong with lists of keys. With entries that are left out: `overcounted` (the key count is that of all),
   * `in-comment`, `other-namespace`, `status-206`. Without entries, for another question: `foreign-name`, `foreign-prefix`. What is
   * only left out: `no-count`, `no-start` (nor is `start-after` heeded), `no-name` (and no prefix), `no-truncated` (of pages that are not
   * the last as well).
   */
  lists?:
    | 'right'
    | 'overcounted'
    | 'in-comment'
    | 'other-namespace'
    | 'status-206'
    | 'foreign-name'
    | 'foreign-prefix'
    | 'no-count'
    | 'no-start'
    | 'no-name'
    | 'no-truncated'
  /** Default `answered`. DeleteObjects does nothing and answers with a web page, 204, or nothing; or tells of failures alone. */
  deletions?: 'answered' | 'page' | '204' | 'nothing' | 'quiet'
  /** Default `nothing`. What errors repeat of the session token that they were sent: in their message, or in place of their code. */
  repeats?: 'nothing' | 'message' | 'code'
  /** Default true. False: the entries of lists have no ETag. */
  listEtags?: boolean
  /**
   * How lists write keys; default `asked`. `replaced`: `encoding-type` is ignored, and what XML cannot carry is written as
   * U+FFFD (versitygw).
   */
  listKeys?: 'asked' | 'replaced'
  /** What is written without a storage class has this one, as GLACIER, which cannot be read; default STANDARD. */
  storageClass?: string
}

/** The options with every default filled in. */
export interface Settings extends Required<Omit<StoreOptions, 'dir' | 'tls' | 'buckets' | 'faults' | 'synthetic'>> {
  dir: string
}

/**
 * How to misbehave, and when. All conditions must hold; without any, every request is meant. Where several rules fit
 * one request their effects add up, the later rule winning. Plain data, so that it fits into JSON.
 */
export interface FaultRule {
  // --- which requests
  /** S3's name of the operation, as `UploadPart`, or several. */
  operation?: string | string[]
  bucket?: string
  key?: string
  /** A regular expression on the key. */
  keyPattern?: string | RegExp
  partNumber?: number
  /** Only requests with a body of so many bytes and more, without its framing: such as data, and nothing that merely asks. */
  leastBytes?: number
  /** Only requests with a header of that name, in lower case. */
  header?: string

  // --- when, counted among the requests that fit
  /** From 0 to 1. */
  probability?: number
  /** Of the rule's own dice, so that no other rule has a part in its draws; else all rules share the store's. */
  seed?: number
  /** Only the n-th one, from 1. */
  nth?: number
  /** Only the first n. */
  first?: number

  // --- what happens
  /** Wait before anything is done. */
  delayMs?: number
  /** Cap on the body, each way. */
  bytesPerSecond?: number
  /** The cap is on all requests of this rule together. */
  shared?: boolean
  /** Answer with an error and do nothing: 500 InternalError, 503 SlowDown, 429 TooManyRequests, or with `code`. */
  status?: number
  code?: string
  /** `Retry-After` of that error: seconds, or a text as it is. */
  retryAfter?: number | string
  /** Which body is meant by cutAfterBytes, flipByteAt and stall; default the request's for writes of objects and parts. */
  on?: 'request' | 'response' | 'stored'
  /** Destroy the connection after that many bytes of the body. */
  cutAfterBytes?: number
  /** Invert the byte at that offset of the body: on its way, or (`on: 'stored'`) only on the disk. */
  flipByteAt?: number
  /** Stop reading or sending for good, after that many bytes of the body (true: 0). */
  stall?: boolean | number
  /** Say this ETag instead (quotes included). */
  etag?: string
  /** Answer 200 with the whole object. */
  ignoreRange?: boolean
  /** Say in Content-Range that the bytes start one later than they do. */
  wrongContentRange?: boolean
  /** Read conditions are ignored. */
  ignoreIfMatch?: boolean
  /** Answer 200 with an `<Error>` document, InternalError or `code`, and do nothing. */
  errorInBody?: boolean
  /** Do the work and cut the connection instead of answering. */
  loseAnswer?: boolean
  /** Do the work all the same, and then answer as `status` or `errorInBody` says. */
  afterWork?: boolean
  /** Do the work, and then wait before it is answered. */
  answerDelayMs?: number
  /**
   * Send the head of a 200 and so many blanks before the document, spread over `answerDelayMs`, as S3 does while it completes an
   * upload: an error is in the body then.
   */
  blanks?: number
  /** Send only the first half of an XML answer, as if it were all. */
  truncateXml?: boolean
  /** Never end an XML answer. */
  endless?: boolean
}

/** Bytes of an object: of a file, from its beginning or from `offset`; made up; or not kept at all. */
export type Segment = { size: number } & ({ blob: string; offset?: number } | { phase: number } | { discarded: true })

export interface StoredChecksum {
  algorithm: Algorithm
  /** Base64; of a composite one with `-N`. */
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
  /** Its checksum is not that of its bytes, which is found out when its upload is completed. */
  damaged?: boolean
}

/** What a create or put says about an object besides its bytes. */
export interface Description {
  /** Content headers, names in lower case. */
  content: Record<string, string>
  /** User metadata, names in lower case, with their `x-amz-meta-`. */
  user: Record<string, string>
  tags: [key: string, value: string][]
  /** Absent of the usual one, STANDARD. */
  storageClass?: string
  /** As it was asked for; what the store says of all objects when absent. */
  encryption?: Encryption
}

/** With a key of the store's or of a key service; or with the customer's, of which the MD5 is kept, base64. */
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
  /** Of an object made of parts. */
  parts?: { number: number; size: number; checksum?: StoredChecksum }[]
}

/** Says that a key was deleted, where its versions are kept. */
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
  checksum?: { algorithm: Algorithm; type: ChecksumType }
  parts: Map<number, StoredPart>
}

export interface Bucket {
  name: string
  region: string
  publicRead: boolean
  discard: boolean
  createdMs: number
  /** Those that are current. */
  objects: Map<string, StoredObject>
  /** All versions of each key, oldest first; absent of a bucket that keeps none. */
  versions?: Map<string, Array<StoredObject | DeleteMarker>>
  uploads: Map<string, Upload>
}

/** What handlers work with. */
export interface State {
  options: Settings
  catalog: Catalog
  blobs: Blobs
  faults: Faults
  events: EventEmitter
  /** Milliseconds, by the store's own clock. */
  now(): number
  /** Answers of completed uploads, for those who ask again. */
  completed: Map<string, { bucket: string; key: string; answer: Answer }>
  /** `bucket/key` → how many HEADs are still to be told something else, with `headAfterPut`. */
  unsettled: Map<string, number>
}

/** One request, taken apart. */
export interface Context {
  state: State
  req: IncomingMessage
  res: ServerResponse
  requestId: string
  hostId: string
  method: string
  /** The path as it was sent, without the query. */
  rawPath: string
  /** Decoded, in the order sent. */
  queryList: [string, string][]
  query: Map<string, string>
  /** Names in lower case; values as bytes (latin1). */
  headers: Map<string, string[]>
  header(name: string): string | undefined
  bucketName?: string
  /** Of operations on objects. */
  key?: string
  operation: string
  identity?: Identity
  effects: Effects
  /** Aborted when the connection is gone. */
  signal: AbortSignal
  /** The bucket; throws NoSuchBucket. */
  bucket(): Bucket
  /** Must be called before the request's body is read: tells a waiting client to go on. */
  continueBody(): void
  bytesReceived: number
  bytesSent: number
  /** The body was read to its end. */
  bodyRead: boolean
}

/** What a handler answers; one place writes it. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  /** An XML document or nothing. */
  body?: string
  /** The bytes of an object, instead of `body`. */
  content?: { segments: Segment[]; start: number; length: number; release(): void }
}

export type Handler = (ctx: Context) => Answer | Promise<Answer>

/** What `on('begin')` and `on('request')` tell. */
export interface RequestEvent {
  operation: string
  method: string
  bucket?: string
  key?: string
  partNumber?: number
  uploadId?: string
  /** Of a GET, or of the source of a copied part. */
  range?: string
  /** Of `begin`, whose request is yet to be authenticated: as the request claims. */
  accessKeyId?: string
  /** Of `request`: absent where the connection was cut before an answer. */
  status?: number
  code?: string
  bytesReceived: number
  bytesSent: number
}

export interface ToldPart {
  bucket: string
  uploadId: string
  partNumber: number
  bytes: number
  /** Hex, without quotes. */
  etag: string
  /** Base64, of an upload with a checksum. */
  crc32?: string
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
   * `begin` when a request's head is there, `request` when it is over, which may be a moment after its client has the
   * whole answer.
   */
  on(event: 'begin' | 'request', listener: (event: RequestEvent) => void): void
  off(event: 'begin' | 'request', listener: (event: RequestEvent) => void): void
  createBucket(name: string, options?: BucketOptions): void
  /** Sets its clock forward, or back where negative. */
  stepClock(ms: number): void
  /** Lets somebody else in, too. Its `expiresMs` may be changed later. */
  addAccount(account: Account): void
  /**
   * Takes a part for uploaded whose bytes nobody sent, for measurements in which none are moved. Its bucket must be one that discards.
   *
   * @throws {TypeError} where there is no such upload
   */
  tellPart(part: ToldPart): void
  /** What a bucket really holds: not asked by a request, so that no quirk and no fault has a part in the answer. */
  look(bucket: string): Promise<{ objects: KeptObject[]; uploads: { id: string; key: string; parts: number }[] }>
  /** Ends every connection, and removes the folder where it is a temporary one. */
  close(): Promise<void>
}
