/** Jobs, and what is left of them: see lib/commands/. */

export interface JobReport {
  id: string
  /** Of its journal. */
  path: string
  /** `damaged`: its journal cannot be used. */
  state: 'running' | 'stopped' | 'damaged'
  /** Absent, as all that follows, of a damaged one. */
  source?: string
  destination?: string
  createdMs?: number
  /** When something was last written. */
  updatedMs?: number
  /** Of a job over a prefix. */
  recursive?: 'copy' | 'sync'
  /** Likewise: what its runs have copied, as far as they have written it down. */
  copied?: { objects: number; bytes: number }
  bytes?: number
  parts?: number
  /** Of the parts that are written down as copied. */
  bytesDone?: number
  partsDone?: number
  uploadId?: string
  /** How its last run ended; absent while one is at work, and of one that was killed. */
  ended?: { code: string; message: string; atMs: number }
  /** Of a damaged one: one sentence. */
  problem?: string
}

export interface AbortedJob {
  job: string
  source: string
  destination: string
  /** Of the parts that were written down as copied. */
  bytes: number
  parts: number
  /**
   * `gone`: somebody had completed or aborted it; `left`: without a part, and maybe the job's, whose answer was lost, maybe
   * somebody else's.
   */
  uploads: Array<{ uploadId: string; outcome: 'aborted' | 'gone' | 'left' }>
  /** The upload is gone, and the job had begun to complete it: the object may be there. */
  maybeCompleted: boolean
}

export interface CleanedUpload {
  /** `s3://bucket/key` */
  location: string
  key: string
  uploadId: string
  /** By the store's clock. */
  initiatedMs?: number
  /**
   * `left`: nobody's, and old enough; `aborted`; `gone`: somebody was quicker; `kept`: the job's that is named; `undated`: the
   * store does not tell how old it is; `failed`.
   */
  outcome: 'left' | 'aborted' | 'gone' | 'kept' | 'undated' | 'failed'
  job?: string
  /** Of one that could not be aborted. */
  error?: { code: string; message: string }
}

export interface Cleaned {
  location: string
  olderThanMs: number
  uploads: CleanedUpload[]
  /** How many are not old enough. */
  young: number
}
