import type { EventEmitter } from 'node:events'
import type { Blobs } from './blobs'
import type { Faults } from './faults'
import type { receive } from './send'
import type { When } from './rules'

/** Bytes of an object: of a file, from its beginning or from `offset`; synthetic; or discarded. */
export type Segment = { size: number } & ({ blob: string; offset?: number } | { phase: number } | { discarded: true })

/** A map that also gives its keys in the order of their UTF-8 bytes. */
export interface Sorted<V> extends Map<string, V> {
  sortedKeys(): readonly string[]
}

/**
 * A fault rule: which requests, and what happens to them. All conditions must hold; without conditions it matches every
 * request. The effects of several matching rules are combined; later rules override earlier ones. Plain data, for JSON.
 */
export interface FaultRule {
  // --- which requests
  /** The store's name of the operation, such as `UploadPart` or `PutBlock`, or several names. */
  operation?: string | string[]
  /** The bucket or container. */
  bucket?: string
  /** The key of the object, or the name of the blob. */
  key?: string
  /** A regular expression on the key. */
  keyPattern?: string | RegExp
  /** Only requests with a body of at least this many bytes, without framing: to match data, and no other requests. */
  leastBytes?: number
  /** Only requests with a header of that name, in lower case. */
  header?: string

  // --- when, counted among the matching requests
  /** From 0 to 1. */
  probability?: number
  /** Gives the rule its own random numbers, independent of other rules; without it all rules share the store's. */
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
  /** All requests of this rule share the cap. */
  shared?: boolean
  /** Answer with an error and do nothing: 500 InternalError, 503 SlowDown, 429 TooManyRequests, or with `code`. */
  status?: number
  code?: string
  /** To which body cutAfterBytes, flipByteAt and stall apply; default: the request's for writes of objects and parts. */
  on?: 'request' | 'response' | 'stored'
  /** Destroy the connection after that many bytes of the body. */
  cutAfterBytes?: number
  /** Invert the byte at that offset of the body: in transit, or (`on: 'stored'`) only on the disk. */
  flipByteAt?: number
  /** Stop reading or sending permanently, after that many bytes of the body (true: 0). */
  stall?: boolean | number
  /** Answer with this ETag instead (quotes included). */
  etag?: string
  /** Answer 200 with the whole object. */
  ignoreRange?: boolean
  /** Answer with a Content-Range that starts one byte too late. */
  wrongContentRange?: boolean
  /** Read conditions are ignored. */
  ignoreIfMatch?: boolean
  /** Do the work and cut the connection instead of answering. */
  loseAnswer?: boolean
  /** Do the work, and then answer with the error of `status` or `errorInBody`. */
  afterWork?: boolean
  /** Do the work, and then wait before the answer. */
  answerDelayMs?: number
  /** Send only the first half of an XML answer, as if it were complete. */
  truncateXml?: boolean
  /** Never end an XML answer. */
  endless?: boolean

  // --- of S3 alone
  /** Only requests about this part. */
  partNumber?: number
  /** Answer 200 with an `<Error>` document, InternalError or `code`, and do nothing. */
  errorInBody?: boolean
  /**
   * Send the head of a 200 and this many spaces before the document, spread over `answerDelayMs`, as S3 does while it completes
   * an upload. An error is then in the body.
   */
  blanks?: number
  /**
   * Answer a write well, and keep nothing of it (what was there stays), its first half, or other bytes with another ETag.
   */
  keeps?: 'nothing' | 'half' | 'other'
  /** Answer a copy with this CRC-32 (base64), and keep the right one. */
  copySum?: string

  // --- of Azure alone
  /** Answer a write without its CRC-64. */
  crc?: 'none'
}

/** A handler's answer; send.js writes it. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  /** A document or nothing. */
  body?: string | Buffer
  /** The bytes of an object, instead of `body`. */
  content?: Segment[]
}

/** A request as it was received, before its store has read what the path names. */
export type Received = ReturnType<typeof receive>

/** The state of a store that its handlers use. */
export interface State {
  options: { port: number; clockSkewMs: number; seed: number; serverName: string }
  blobs: Blobs
  /** segments: all bytes that it refers to. */
  catalog: { segments(): Iterable<Segment>; close(): void }
  faults: Faults
  events: EventEmitter
  /** Milliseconds, by the store's own clock. */
  now(): number
}

/** One parsed request. */
export interface Context extends Received {
  state: State
  query: Map<string, string>
  /** The bucket or container. */
  bucketName?: string
  /** Of operations on objects and blobs. */
  key?: string
}

/** The event of `on('begin')` and `on('request')`. */
export interface RequestEvent {
  operation: string
  method: string
  /** The bucket or container. */
  bucket?: string
  key?: string
  /** Of a GET, or of the source of a copied part. */
  range?: string
  /** In `request`: absent if the connection was cut before an answer. */
  status?: number
  code?: string
  bytesReceived: number
  bytesSent: number
}

/** What all running stores have. */
export interface Running<E extends RequestEvent> {
  port: number
  dir: string
  faults: { add(rule: FaultRule): { readonly hits: number; remove(): void }; clear(): void }
  /** Requests so far, by operation; a request is counted before it is answered. */
  requests: Record<string, number>
  /**
   * `begin` when a request's head has been read, `request` when the request is finished, which may be a moment after its
   * client has the complete answer.
   */
  on(event: 'begin' | 'request', listener: (event: E) => void): void
  off(event: 'begin' | 'request', listener: (event: E) => void): void
  /** Sets its clock forward, or back where negative. */
  stepClock(ms: number): void
  /** Ends every connection, and removes the folder where it is a temporary one. */
  close(): Promise<void>
}

/** One kind of misbehaviour that every platform knows. All effects of a fault happen together. */
export interface CallFault extends When {
  /** Cut the connection instead of doing anything, as happens to a reused connection that has become stale. */
  cut?: boolean
  /** Answer this status instead of doing anything. */
  status?: number
  /** Do the work, then cut the connection instead of answering. */
  lose?: boolean
  /** Do the work, then cut the connection in the middle of the answer. */
  cutAnswer?: boolean
  /** Do the work, and never answer: the connection stays open. */
  silent?: boolean
  /** Kill the container this long after the call was sent to it, unless it has answered by then; 0 is at once. */
  killAfterMs?: number
  /** Answer only the first half of the JSON, as valid HTTP. */
  truncate?: boolean
}
