/** Streams, without the types of Node.js, which a program need not have. */

/** A `Readable` of Node.js, of bytes. Its error is an `XferError`. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
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
