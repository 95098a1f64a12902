/** Unfinished jobs and uploads: see lib/commands/. */

export interface JobReport {
  id: string
  /** The id of its journal. */
  path: string
  /** `damaged`: its journal cannot be used. */
  state: 'running' | 'stopped' | 'damaged'
  /** This and all that follows is absent from a damaged job. */
  source?: string
  destination?: string
  createdMs?: number
  /** When the journal was last written. */
  updatedMs?: number
  /** For a job over a prefix. */
  recursive?: 'copy' | 'sync'
  /** For a job over a prefix: the objects that its runs have copied, as far as the journal has them. */
  copied?: { objects: number; bytes: number }
  bytes?: number
  parts?: number
  /** Bytes of the parts that the journal has as copied. */
  bytesDone?: number
  partsDone?: number
  uploadId?: string
  /** How its last run ended; absent while a run is active, and if the run was killed. */
  ended?: { code: string; message: string; atMs: number }
  /** For a damaged job: the reason, one sentence. */
  problem?: string
}

export interface AbortedJob {
  job: string
  source: string
  destination: string
  /** Bytes of the parts that the journal had as copied. */
  bytes: number
  parts: number
  /**
   * `gone`: it had been completed or aborted already; `left`: an upload without parts, which may be the job's (the answer was
   * lost) or another process's.
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
  /** When it was created, by the store's clock. */
  initiatedMs?: number
  /**
   * `left`: of no known job, and old enough; `aborted`; `gone`: it was aborted or completed meanwhile; `kept`: of the job that
   * is named; `undated`: the store does not say how old it is; `failed`.
   */
  outcome: 'left' | 'aborted' | 'gone' | 'kept' | 'undated' | 'failed'
  job?: string
  /** For an upload that could not be aborted. */
  error?: { code: string; message: string }
}

export interface Cleaned {
  location: string
  olderThanMs: number
  uploads: CleanedUpload[]
  /** How many uploads are not old enough. */
  young: number
}
