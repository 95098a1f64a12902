/**
 * Streams, and the events of `download`, which are those of `xfer cat --json`. A program need not have the types of Node.js: without
 * them a stream has the fields that are here.
 */

// @ts-ignore
import type { Readable } from 'node:stream'
import type { EnginePlan, ErrorEvent, EventBase, ProgressEvent, TransferEvent } from './events'
import type { Download } from './summaries'

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
export interface DownloadDoneEvent extends EventBase, Download {
  type: 'done'
}

/** The events of `download`. */
export type DownloadEvent = DownloadPlanEvent | TransferEvent | ProgressEvent | DownloadDoneEvent | ErrorEvent
