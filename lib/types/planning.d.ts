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
  /** It is the plan of a stream: `bytes` and `parts` are what has come so far, and grow until it is over. */
  readonly growing?: { readonly over: boolean; readonly sizeBytes?: number }
  /** Why `--chunk auto` chose this part size; one sentence. */
  chunkWhy?: string
  /** How the plan differs from what was asked for. */
  notices: import('./events').Notice[]
}

/** The clock as an argument, so that a simulation can have its own. */
export interface Clock {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}
