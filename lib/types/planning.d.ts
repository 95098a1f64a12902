/** Planning and scheduling. */

/** A byte range of the source, and the number of its part. */
export interface Part {
  partNumber: number
  start: number
  bytes: number
}

export interface Plan {
  /** `put`: the whole object in one request; `multipart`: an upload in parts. */
  route: 'put' | 'multipart'
  bytes: number
  partBytes: number
  parts: Part[]
  /** Why `--chunk auto` chose this part size; one sentence. */
  chunkWhy?: string
  /** How the plan differs from what was asked for. */
  notices: import('./notices').Notice[]
}

/** The clock as an argument, so that a simulation can have its own. */
export interface Clock {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export type SchedulerEvent =
  | { type: 'part'; partNumber: number; bytes: number; crc32?: number; attempt: number; elapsedMs: number }
  | { type: 'retry'; partNumber: number; attempt: number; code: string; message: string; delayMs: number }
  /** `limit`: invocations at once from now on; the limit of the platform, or of the store that throttled. */
  | {
      type: 'throttle'
      code: string
      message: string
      store?: 'source' | 'destination'
      limit: number
      delayMs: number
    }
  /** A straggler was hedged: the part was started a second time. */
  | { type: 'hedge'; partNumber: number; bytes: number; elapsedMs: number }

/** An outage began or ended: of a store or the platform that has answered in this job before. */
export interface OutageEvent {
  type: 'outage'
  /** `store`: the store of both sides. */
  peer: 'source' | 'destination' | 'store' | 'platform'
  where: string
  /** The last failure, during the outage. */
  code?: string
  message?: string
  /** How long the outage has lasted. */
  forMs: number
  /** Whether it answers again. */
  over: boolean
}

export interface Progress {
  bytesDone: number
  bytesTotal: number
  partsDone: number
  partsTotal: number
  inFlight: number
  retried: number
  throttled: number
  /** Stores that throttle: the number of invocations at once that they now allow. Absent if none throttles. */
  slowed?: Array<{ store: 'source' | 'destination'; limit: number }>
  /** Outages: who does not answer, and for how long. Absent if there is none. */
  away?: Array<{ peer: OutageEvent['peer']; forMs: number }>
  bytesPerSecond: number
  /** Undefined until there is a rate. */
  etaMs?: number
}
