/** Streams. A program need not have the types of Node.js: without them a stream has the fields that are here. */

// @ts-ignore
import type { Readable } from 'node:stream'

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
