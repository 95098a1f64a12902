/**
 * What the functions resolve to that copy nothing: jobs, their uploads, checks and deployments. Sizes are bytes, points in
 * time are milliseconds since the epoch.
 */

import type { XferErrorCode } from './codes'
import type { AskEvent } from './events'
import type { Ends, Proof, RunnerReport } from './summaries'

/** An unfinished job, as `jobs` lists it. */
export interface JobReport {
  id: string
  /** The path of its journal. */
  path: string
  /** waiting: for `work`; done, failed: it is over, as a state in a store remembers; damaged: its journal cannot be used. */
  state: 'running' | 'waiting' | 'stopped' | 'done' | 'failed' | 'damaged'
  /** The process that has it, or had it when it was killed. */
  owner?: { pid: number; host: string }
  /** This and all that follows is absent from a damaged job. */
  source?: string
  destination?: string
  /** When it began. */
  createdMs?: number
  /** When the journal was last written. */
  updatedMs?: number
  /** For the job of a prefix. */
  recursive?: 'copy' | 'sync'
  /** For the job of a prefix: the objects that its runs have copied, as far as the journal has them. */
  copied?: { objects: number; bytes: number }
  /** The size of the object. */
  bytes?: number
  parts?: number
  /** Bytes of the parts that the journal has as copied. */
  bytesDone?: number
  partsDone?: number
  uploadId?: string
  /** How its last run ended; `code` is one of the codes of errors, maybe of another version; absent while a run is active, and if the run was killed. */
  ended?: { code: string; message: string; atMs: number }
  /** For a damaged job: the reason, one sentence. */
  problem?: string
  /** Of a job that is done: what proves its copy, or the copies of its last run. */
  proof?: Proof[]
  /** What its runs have told, and below which objects failed and were not copied since, 100 each at most: a state in a store keeps it. */
  notices?: Array<{ code: string; message: string }>
  failures?: Array<{ name: string; code: string; message: string }>
  /** Of a job that functions run: whose; of the runs that have ended what they, and the functions that moved bytes, have used. */
  runner?: RunnerReport
  /** Its runner had stopped, and was started again. */
  restarted?: true
  /** Why it could not be. */
  runnerError?: string
  /** Of a job that is split: jobs of their own, whose sums its numbers are. */
  ranges?: JobReport[]
}

/** What `attach` tells, whenever it has changed. */
export type JobEvent = JobReport & { type: 'job'; time: string }

/** What `work` tells: a job is taken; it has ended, or was left to others. */
export type WorkEvent =
  | { type: 'taken'; time: string; job: string; source: string; destination: string }
  | {
      type: 'worked'
      time: string
      job: string
      outcome: 'done' | 'left' | 'failed'
      code?: XferErrorCode
      message?: string
    }

/** The result of `work`: how many jobs it has run to their end, left to those who have them, and seen fail. */
export interface Worked {
  done: number
  left: number
  failed: number
  /** It was to end before them: the next worker goes on. */
  unfinished: number
}

/** The result of `abortJob`. */
export interface AbortedJob extends Ends {
  /** Its id. */
  job: string
  /** Bytes of the parts that the journal had as copied. */
  bytes: number
  parts: number
  /** Of a prefix: what the job had copied, which stays there. */
  copied?: { objects: number; bytes: number }
  /**
   * `gone`: it had been completed or aborted already; `left`: an upload without parts, which may be the job's (the answer was
   * lost) or another process's; `lapses`: the store cannot abort uploads, and removes the parts by itself.
   */
  uploads: Array<{ uploadId: string; outcome: 'aborted' | 'gone' | 'left' | 'lapses' }>
  /** Ranges of a split job whose journals are damaged: their uploads may be left. problem: a sentence. */
  unread?: Array<{ job: string; problem: string }>
  /** For uploads that lapse. */
  lapse?: LapsingParts
  /** The upload is gone, and the job had begun to complete it: the object may be there. */
  maybeCompleted: boolean
}

/** Parts that nobody sees and no request removes: their store does it. */
export interface LapsingParts {
  /** What the store calls a part: `block`. */
  part: string
  /** When it removes them, a clause. */
  words: string
  /** The number of parts, if known. */
  parts?: number
  /** When the last of them is removed, epoch milliseconds, if known. */
  lapsesMs?: number
}

/** A multipart upload that `clean` found. */
export interface CleanedUpload {
  /** The object that it would become. */
  location: string
  key: string
  uploadId: string
  /** When it was created, by the store's clock. */
  initiatedMs?: number
  /**
   * `left`: of no known job, and old enough; `aborted`; `gone`: it was aborted or completed meanwhile; `kept`: of the job that
   * is named; `undated`: the store does not say how old it is; `lapses`: the store cannot abort uploads, and removes the parts by
   * itself; `failed`.
   */
  outcome: 'left' | 'aborted' | 'gone' | 'kept' | 'undated' | 'lapses' | 'failed'
  /** The id of the job that it belongs to. */
  job?: string
  /** For an upload that could not be aborted. */
  error?: { code: XferErrorCode; message: string }
}

/** The result of `clean`. */
export interface Cleaned {
  location: string
  olderThanMs: number
  /** Those that are old enough. */
  uploads: CleanedUpload[]
  /** How many uploads are not old enough. */
  young: number
  /** If the store cannot abort uploads. */
  lapse?: LapsingParts
}

/** What `remove` is about to delete below a prefix. */
export interface FoundObjects {
  /** The prefix. */
  location: string
  /** How many pass the filters. */
  objects: number
  /** Their sizes, added up. */
  bytes: number
  /** Whether the location is a whole bucket or container. */
  whole: boolean
}

/** What became of one object. */
export interface RemovedObject {
  location: string
  /** Its size, if known. */
  bytes?: number
  /** `removed`: its store has confirmed it; `left`: a dry run would remove it; `failed`. */
  outcome: 'removed' | 'left' | 'failed'
  /** Of one that could not be removed. */
  error?: { code: XferErrorCode; message: string }
}

/** The result of `remove`. */
export interface Removed {
  /** How many objects were removed; in a dry run, how many would be. */
  objects: number
  dryRun?: true
}

/** What one check of `doctor` found. */
export interface Checked {
  name: string
  /** null: not checked */
  ok: boolean | null
  /** one sentence: what was found, or why nothing was checked */
  detail: string
  /** one sentence: what to do; if `ok` is true it is a warning */
  hint?: string
  /** with `deep`, of a question: it is as its protocol has it; null: it could not be found out */
  holds?: boolean | null
  /** with `deep`: what later copies to the server go by */
  row?: Record<string, unknown>
}

/** The result of `doctor`. */
export interface Diagnosis {
  /** Whether no check failed. */
  ok: boolean
  /** That of the first check that failed; 0 if none did. */
  exitCode: number
}

/** Some requests of one kind and size, so many at once. */
export interface ProbeStep {
  /** requests at once */
  lanes: number
  /** that succeeded */
  requests: number
  /** by the store, because there were too many */
  refused: number
  /** while all lanes were at work */
  bytesPerSecond: number
  times: ProbeTimes
  /** when the first lane had nothing more to do, since the start of the step; the rest is its tail */
  firstDoneMs: number
  /** when the last lane had */
  lastDoneMs: number
}

/** How long requests took, in milliseconds. */
export interface ProbeTimes {
  count: number
  p50: number
  p95: number
  p99: number
  /** the median until the first byte of the answer */
  firstByteMs: number
  /** of some of them, 200 at most: what `compareProbes` compares */
  ms: number[]
}

/** How much longer a call of a function takes than what the function does, in milliseconds. */
export interface ProbeCalls {
  /** of the first call, for which a container may have to be started */
  firstMs: number
  /** the median of those that follow */
  warmMs: number
}

/** Response times with so many users at once. */
export interface ProbeUsers {
  users: number
  op: 'put' | 'get' | 'head'
  bytes: number
  times: ProbeTimes
  errors: number
  /** the share of one processor that this program used meanwhile */
  cpu: number
}

/** How many times as fast as another one: with a probability of 95 % from low to high. */
export interface ProbeRatio {
  ratio: number
  low: number
  high: number
}

/** What a comparison found of a place. */
export interface ProbeComparison {
  location: string
  /** the median time of a write, and how many times as fast it was as at the first place */
  put: { ms: number } & ProbeRatio
  get: { ms: number } & ProbeRatio
}

/** What `compareProbes` found of requests of one kind; above 1: they became faster. */
export interface ProbeDifference extends ProbeRatio {
  location: string
  op: 'head' | 'get' | 'put'
  /** absent for the small requests that were made one after the other */
  bytes?: number
  /** at once */
  lanes: number
}

/** What `probe` found at one place. */
export interface ProbedPlace {
  location: string
  /** of functions */
  calls?: ProbeCalls
  /** of small requests, one after the other */
  times: { head: ProbeTimes; get: ProbeTimes; put: ProbeTimes }
  /** reads, by size; rising: more at once may help, and were not tried */
  gets: Array<{ bytes: number; steps: ProbeStep[]; rising?: true }>
  /** writes, by size */
  puts: Array<{ bytes: number; steps: ProbeStep[]; rising?: true }>
  /** the smallest part and the fewest at once that are read nearly as fast as the fastest */
  read?: { bytes: number; lanes: number; bytesPerSecond: number; rising?: true }
  /** the same of writing */
  write?: { bytes: number; lanes: number; bytesPerSecond: number; rising?: true }
}

/** How fast many objects are copied, by requests and lanes that were measured. */
export interface ProbedMany {
  /** of each */
  bytes: number
  objectsPerSecond: number
  /** at once */
  lanes: number
  /** requests: waiting for answers takes longer than moving the bytes */
  bottleneck: 'source' | 'destination' | 'requests'
  /** more at once may help, and were not tried */
  rising?: true
  /** with `objects`: these, and how long they take */
  objects?: number
  ms?: number
}

/** The result of `probe`. */
export interface ProbeReport {
  locations: string[]
  /** one for each location; none with `clean`, `users` and `rounds` */
  places: ProbedPlace[]
  /** the platform whose functions made the requests */
  from?: string
  /** with `users` */
  users?: ProbeUsers[]
  /** with `rounds`, or more than two locations: a row for each */
  comparison?: ProbeComparison[]
  /** what a copy would take; without a concurrency, as many as it finds to help; absent if no parts were measured */
  recommended?: { chunkBytes: number; concurrency?: number }
  /** with two places: the copy from the first to the second */
  copy?: {
    bytes: number
    /** how long it takes */
    ms: number
    bytesPerSecond: number
    partBytes: number
    lanes: number
    /** requests: waiting for answers takes longer than moving the bytes */
    bottleneck: 'source' | 'destination' | 'requests'
    /** more requests at once may help, and were not tried */
    rising?: true
  }
  /** with two places, and `objects` or a `size` below that of a part: the copy of many objects */
  many?: ProbedMany
  /** of `expect` */
  expectations?: Array<{ text: string; found: number; ok: boolean }>
  /** with `clean`: the keys that were deleted */
  removed?: string[]
  elapsedMs: number
}

/** A function that was deployed or removed. */
export interface DeployedAction {
  /** `package/action`, where the platform has packages */
  name: string
  /** missing: there was nothing to remove */
  outcome: 'created' | 'updated' | 'unchanged' | 'removed' | 'missing'
  /** absent if the platform has no versions */
  version?: string
  /**
   * what an update changed: `code`, `ca-bundle`, `runtime`, `architecture`, `timeout`, `memory`, `logs`, `role`, `access`, names of
   * annotations and of variables
   */
  changes?: string[]
  /** settings that were kept although a new function would have other values: memory in megabytes, timeout in seconds */
  kept?: {
    memory?: number
    timeout?: number
    runtime?: string
    architecture?: string
    caBundle?: true
    hosts?: string[]
    metadata?: boolean
  }
}

/** The result of `deploy`. */
export interface Deployed {
  /** The address of the platform's API. */
  apihost: string
  actions: DeployedAction[]
  /** Of a runner: the profiles whose keys it has, and those whose keys it had before. */
  profiles?: string[]
  dropped?: string[]
  /** Of a runner: the policy that its role needs, JSON; with `every` whether the platform calls it so often. */
  policy?: string
  alarm?: { everyMs: number; set: boolean }
}

/** The result of `undeploy`. */
export interface Undeployed extends Deployed {
  /** Empty on platforms that have none. */
  packages: Array<{ name: string; outcome: 'removed' | 'kept' | 'missing' }>
}

/** An event of `probe`. */
export type ProbeEvent =
  | { type: 'plan'; time: string; locations: string[]; prefixes: string[]; mostBytes: number }
  | { type: 'step'; time: string; location: string; op: 'head' | 'get' | 'put'; bytes: number; step: ProbeStep }
  /** objects of the probe that could not be deleted */
  | { type: 'left'; time: string; location: string; keys: string[] }
  | AskEvent
