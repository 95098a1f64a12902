/** Planning and scheduling. */

/** A byte interval of the source and the part it becomes. */
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
  /** One sentence: of a part size that `--chunk auto` chose. */
  chunkWhy?: string
  /** Where the plan is another than what was asked for. */
  notices: import('./notices').Notice[]
}

/** Time, as an argument: a simulation has its own. */
export interface Clock {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export type SchedulerEvent =
  | { type: 'part'; partNumber: number; bytes: number; crc32?: number; attempt: number; elapsedMs: number }
  | { type: 'retry'; partNumber: number; attempt: number; code: string; message: string; delayMs: number }
  /** `limit`: invocations at once from now on, as the platform bears them, or, where it was a store that refused, as that does. */
  | {
      type: 'throttle'
      code: string
      message: string
      store?: 'source' | 'destination'
      limit: number
      delayMs: number
    }
  /** A part that is far behind was started a second time. */
  | { type: 'hedge'; partNumber: number; bytes: number; elapsedMs: number }

/** A store or the platform that has answered in this job does not any more, or again. */
export interface OutageEvent {
  type: 'outage'
  /** `store`: of both sides. */
  peer: 'source' | 'destination' | 'store' | 'platform'
  where: string
  /** The last failure, while it is away. */
  code?: string
  message?: string
  /** How long it has not answered. */
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
  /** Stores that ask for fewer requests: what they are asked for at once. Absent where none does. */
  slowed?: Array<{ store: 'source' | 'destination'; limit: number }>
  /** What does not answer, and for how long. Absent where all do. */
  away?: Array<{ peer: OutageEvent['peer']; forMs: number }>
  bytesPerSecond: number
  /** Undefined until there is a rate. */
  etaMs?: number
}
