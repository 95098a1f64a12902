/** Whether two objects are equal: see lib/commands/verify.js. */

import type { SchedulerEvent } from './planning'
import type { Progress } from './planning'

export type VerifyMethod = 'stored-crc32' | 'etag' | 'composite-crc32' | 'read'

/** The result for two equal objects. */
export interface Verification {
  source: string
  destination: string
  bytes: number
  /** The proof: checksums or ETags of both stores, or reading both objects. */
  method: VerifyMethod
  /** The CRC-32 (base64), the composite CRC-32 or the ETag of both. */
  value: string
  engine: string
  readBytes: number
  elapsedMs: number
  /** What was read. */
  bytesPerSecond: number
  invocations: number
  retried: number
  throttled: number
  hedgedBytes: number
}

export type VerifyEvent =
  | Exclude<SchedulerEvent, { type: 'part' }>
  | {
      type: 'plan'
      source: string
      destination: string
      bytes: number
      method: VerifyMethod
      /** Which of the two are read. */
      reads: string[]
      ranges: number
      rangeBytes: number
      concurrency: number
      adapts?: true
      bandwidth?: number
      engine: string
      where: string
      why: string
    }
  | { type: 'retry'; call: string; side: string; attempt: number; code: string; message: string }
  | ({ type: 'progress' } & Progress)
  | ({ type: 'done' } & Verification)
  | { type: 'error'; code: string; message: string; hint: string; exitCode: number }
