/** The function that runs jobs: what it is called with, and what it uses. */

/** What the runner is called with, and what is bound to it. */
export interface RunnerCall {
  /** A location, as `--state` has it. */
  state: string
  /** The id of the job; absent: what waits there. */
  job?: string
  /** Runs nothing, and tells what it reaches. */
  check?: boolean
  /** By name. */
  profiles?: Record<string, BoundProfile>
}

/** A profile that is bound to a runner. */
export interface BoundProfile {
  accessKeyId: string
  secretAccessKey: string
  region?: string
  endpointUrl?: string
  addressing?: string
}

export interface RunnerResult {
  done: number
  left: number
  failed: number
  unfinished: number
  /** The job with which the next run was called. */
  next?: string
}

/** What a runner was asked to reach; problem: why it cannot. */
export interface RunnerReach {
  what: string
  problem?: string
}

/** Of a job that functions run. */
export interface RunnerUse {
  /** Whose function. */
  engine: string
  /** The platform. */
  where: string
  /** Whose prices apply, where its platform has a name for it. */
  provider?: string
  /** Those that came to their end. */
  runs: number
  gbSeconds: number
  /** Of the functions that moved bytes for these runs. */
  calls?: number
  functionGbSeconds?: number
  /** How far the job was when the last run began: a digest. */
  progress?: string
  /** How many runs have begun since it was other. */
  idle?: number
}
