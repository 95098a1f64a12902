/**
 * What only reads tells: the events of comparisons, of two objects and of what is below two prefixes; the stream and the events of
 * `download`, which are those of `xfer cat --json`. A program need not have the types of Node.js: without them a stream has the
 * fields that are here.
 */

// @ts-ignore
import type { Readable } from 'node:stream'
import type { NoticeCode } from './codes'
import type {
  EnginePlan,
  ErrorEvent,
  EventBase,
  FailureEvent,
  PrefixProgressEvent,
  ProgressEvent,
  TransferEvent,
} from './events'
import type { Download, PairMethod, PrefixVerification, Verification, VerifyMethod } from './summaries'

/** How two objects will be compared: once, before anything is read. */
export interface VerifyPlanEvent extends EventBase, EnginePlan {
  type: 'plan'
  /** The size of both objects. */
  bytes: number
  method: VerifyMethod
  /** The locations that are read. */
  reads: string[]
  ranges: number
  /** The size of a range. */
  rangeBytes: number
}

/** The last event of a comparison that found the objects equal. */
export type VerifyDoneEvent = EventBase & Verification & { type: 'done' }

/** How two prefixes will be compared: once, before the first pair is. */
export interface PrefixVerifyPlanEvent extends EventBase, EnginePlan {
  type: 'plan'
  recursive: 'verify'
  /** One sentence each; their codes say what they are about. */
  notices: string[]
  /** The code of each notice, in the same order: docs/reference/notices.md. */
  noticeCodes: NoticeCode[]
}

/** A pair of objects below two prefixes that is equal. */
export interface EqualEvent extends EventBase {
  type: 'equal'
  /** The key without the prefix. */
  name: string
  /** The size of both. */
  bytes: number
  /** What proved it. */
  method: PairMethod
}

/** A name below two prefixes that is not equal on both sides. */
export interface DifferenceEvent extends EventBase {
  type: 'difference'
  /** The key without the prefix. */
  name: string
  /** missing: only the source has it; extra: only the destination has it; differs: both have it, with other contents. */
  found: 'missing' | 'extra' | 'differs'
  /** The size of the source's object. */
  bytes?: number
  /** The size of the destination's object. */
  bytesThere?: number
  /** Of `differs`: what shows it; `damaged`: an object is not what its own store keeps the checksum of. */
  why?: 'size' | 'checksum' | 'bytes' | 'damaged'
  /** Of `differs`: one clause. */
  reason?: string
  /** Of the first range that differs, if the objects were read: its first byte, */
  start?: number
  /** and its last one. */
  end?: number
}

/** The last event of a comparison that found everything below both prefixes equal. */
export type PrefixVerifyDoneEvent = EventBase & PrefixVerification & { type: 'done' }

/** The events of `verify`. */
export type VerifyEvent = VerifyPlanEvent | TransferEvent | ProgressEvent | VerifyDoneEvent | ErrorEvent

/** The events of `verifyPrefix`. */
export type PrefixVerifyEvent =
  | PrefixVerifyPlanEvent
  | EqualEvent
  | DifferenceEvent
  | FailureEvent
  | TransferEvent
  | PrefixProgressEvent
  | PrefixVerifyDoneEvent
  | ErrorEvent

/** Empty without the types of Node.js. */
interface OfNode extends Readable {}

interface OfAny {
  readonly destroyed: boolean
  /** Ends it early, and everything that it has begun. */
  destroy(error?: Error): this
  read(size?: number): Uint8Array | null
  pause(): this
  resume(): this
  pipe(destination: any, options?: { end?: boolean }): any
  on(event: string, listener: (...values: any[]) => void): this
  once(event: string, listener: (...values: any[]) => void): this
  off(event: string, listener: (...values: any[]) => void): this
}

/** A `Readable` of Node.js, of bytes. Its error is an `XferError`. */
export type ByteStream = AsyncIterable<Uint8Array> & OfNode & OfAny

/** How an object will be read: once, before anything is read. */
export interface DownloadPlanEvent extends EventBase, Omit<EnginePlan, 'destination' | 'endpoints'> {
  type: 'plan'
  /** How many will be handed out. Absent: the server does not tell, and sends no ranges. */
  bytes?: number
  ranges: number
  /** The size of a range. */
  rangeBytes: number
  /** Ranges in memory, at most: read, or being read, and not yet handed out. */
  ahead: number
}

/** The last event of a download that succeeded. */
export type DownloadDoneEvent = EventBase & Download & { type: 'done' }

/** The events of `download`. */
export type DownloadEvent = DownloadPlanEvent | TransferEvent | ProgressEvent | DownloadDoneEvent | ErrorEvent
