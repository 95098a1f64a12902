/**
 * The events that `onEvent` gets, which are those of `--json`. `type` tells them apart. Sizes are bytes, durations are
 * milliseconds. New types and fields may be added: skip events of a type that you do not know.
 */

import type { EngineName, NoticeCode, XferErrorCode } from './codes'
import type { DownloadEvent, PrefixVerifyEvent, VerifyEvent } from './reading'
import type {
  AttributeSummary,
  Ends,
  ObjectCounts,
  PairCounts,
  PairMethod,
  PrefixSummary,
  Proof,
  Summary,
  SumName,
} from './summaries'

/** What every event has. */
export interface EventBase {
  type: string
  /** ISO 8601, UTC. */
  time: string
}

/** What an event about one object has. */
export interface ObjectEventBase extends EventBase {
  /** In a prefix: the key without the prefix. */
  name?: string
}

/** What every plan says of the engine. */
export interface EnginePlan extends Ends {
  /** Where both are, if both locations look alike and are in two stores; each an address, or the name of a cloud. */
  endpoints?: { source: string; destination: string }
  /** What moves the bytes; `server`: the store by itself. */
  engine: EngineName
  /** The platform, the store or this machine. */
  where: string
  /** Who does the work: the platform's functions, this machine, or the store of both sides by itself. */
  runsOn: 'platform' | 'machine' | 'store'
  /** Why this engine. */
  why: string
  /** Invocations at once, at most. */
  concurrency: number
  /** The engine finds out how many of these help. */
  adapts?: true
  /** Bytes a second, at most; absent if there is no limit. */
  bandwidth?: number
}

/** What every plan of a copy says to its user. */
export interface JobPlan {
  /** What the platform allows, of its functions or workers: those limits that it has, or that `engineLimits` names. */
  limits?: PlatformLimits
  /** One sentence each; their codes say what they are about. */
  notices: string[]
  /** The code of each notice, in the same order: docs/reference/notices.md. */
  noticeCodes: NoticeCode[]
  /** Nothing will be done. */
  dryRun: boolean
  /** Each source is deleted once its copy is proved. */
  move?: true
  /** The job's id; absent if no journal is kept. */
  job?: string
}

/** Limits of a platform. Each is absent if there is none. */
export interface PlatformLimits {
  /** Invocations at once. */
  concurrent?: number
  /** Invocations in a minute. */
  perMinute?: number
  /** New environments of the function that start in a second, once the first ones run. */
  startsPerSecond?: number
  /** How long an invocation may run. */
  timeoutMs?: number
  /** The most bytes of the parameters of an invocation, and of its result. */
  payloadBytes?: number
}

/** How one object will be copied: once, before the first byte is moved; again if another engine takes over. */
export interface PlanEvent extends EventBase, EnginePlan, JobPlan {
  type: 'plan'
  /** The size of the object. */
  bytes: number
  parts: number
  /** The size of a part. */
  partBytes: number
  /** A stream is read: `bytes` is what was said of its size, or 0; `parts` have come so far; `partBytes` is that of the first one. */
  growing?: true
  /** Of a stream: the bytes that are held, at most. */
  memory?: number
  /** `put`: one request; `multipart`: an upload in parts. */
  route: 'put' | 'multipart'
  /** Why `chunk: 'auto'` chose this size; one sentence. */
  chunkWhy?: string
  /** Bytes of the copy to read back once it is complete; absent if no read-back is planned. */
  readBack?: number
  /** What the copy gets in addition to its bytes. */
  attributes: AttributeSummary
}

/** An unfinished job is continued, or would be in a dry run: what it has copied already. */
export interface ResumeEvent extends ObjectEventBase {
  type: 'resume'
  /** Its id. */
  job: string
  parts: number
  bytes: number
}

/** Something that the user should know about a running job. */
export interface NoticeEvent extends EventBase {
  type: 'notice'
  /** docs/reference/notices.md */
  code: NoticeCode
  /** One sentence. */
  message: string
}

/** A part is copied. */
export interface PartEvent extends ObjectEventBase {
  type: 'part'
  /** 1 and up. */
  partNumber: number
  bytes: number
  /** The checksums of its bytes, in lower-case hex. */
  sums?: Partial<Record<SumName, string>>
  /** Which attempt succeeded. */
  attempt: number
  elapsedMs: number
}

/** A part failed, and will be copied again. */
export interface PartRetryEvent extends ObjectEventBase {
  type: 'retry'
  partNumber: number
  /** Which attempt failed. */
  attempt: number
  code: XferErrorCode
  message: string
  /** How long the part waits. */
  delayMs: number
}

/** A request of xfer itself failed, and will be repeated. */
export interface CallRetryEvent extends ObjectEventBase {
  type: 'retry'
  /** Its name. */
  call: string
  /** Whom it asked; `engine`: the platform. */
  side: 'source' | 'destination' | 'engine'
  /** Which attempt failed. */
  attempt: number
  code: XferErrorCode
  message: string
}

/** Something failed, and will be repeated: `'partNumber' in event` tells a part from a request. */
export type RetryEvent = PartRetryEvent | CallRetryEvent

/** The platform or a store refuses because it has too much to do. */
export interface ThrottleEvent extends EventBase {
  type: 'throttle'
  code: XferErrorCode
  message: string
  /** Absent: the platform. */
  store?: 'source' | 'destination'
  /** Invocations at once from now on. */
  limit: number
  /** How long nothing new starts. */
  delayMs: number
}

/** A part that is far behind is started a second time. */
export interface HedgeEvent extends ObjectEventBase {
  type: 'hedge'
  partNumber: number
  bytes: number
  /** How long it has been under way. */
  elapsedMs: number
}

/** What does not answer; `store` if both sides are one store. */
export type Peer = 'source' | 'destination' | 'store' | 'platform'

/** A store or the platform that has answered in this job does not answer any more, or answers again. */
export interface OutageEvent extends EventBase {
  type: 'outage'
  peer: Peer
  /** Its address. */
  where: string
  /** The last failure, during the outage. */
  code?: XferErrorCode
  message?: string
  /** How long the outage has lasted. */
  forMs: number
  /** Whether it answers again. */
  over: boolean
}

/** What a job does; `assembling`: the destination makes the object of its parts; `verifying`: the copy is read again. */
export type Phase = 'listing' | 'copying' | 'assembling' | 'verifying' | 'deleting'

/** The job does something else than before. The first phase is not told. */
export interface PhaseEvent extends ObjectEventBase {
  type: 'phase'
  phase: Phase
  /** To assemble. */
  parts?: number
  /** To read. */
  bytes?: number
  /** Of a prefix: to delete. */
  objects?: number
}

/** What the progress of every job has. */
export interface ProgressCounts {
  phase: Phase
  /** How long it has been in this phase. */
  phaseMs: number
  /** How long the call has run. */
  elapsedMs: number
  /** Of the phase `assembling`: parts of which the destination makes objects now. */
  partsAssembling?: number
  /** Bytes that earlier runs of the job had copied, of objects that they left unfinished. */
  resumedBytes: number
  /** Invocations under way. */
  inFlight: number
  /** Those of them that have run for longest, 50 at most. Absent if there is none. */
  underWay?: import('./summaries').UnderWay[]
  /** Attempts that were repeated so far. */
  retried: number
  /** Refusals so far by the platform or a store that had too much to do. */
  throttled: number
  /** Stores that throttle: the number of invocations at once that they now allow. Absent if none throttles. */
  slowed?: Array<{ store: 'source' | 'destination'; limit: number }>
  /** Outages: who does not answer, and for how long. Absent if there is none. */
  away?: Array<{ peer: Peer; forMs: number }>
  /**
   * Something waits for the platform, whose invocations of this minute are used up. `perMinute`: how many it allows; absent if
   * not known.
   */
  waiting?: { perMinute?: number }
  /** What keeps more invocations from starting now. Absent if nothing does, or it is not known. */
  bound?: import('./summaries').Bound
  /** The rate of the last seconds. */
  bytesPerSecond: number
  /** How long it will probably take; absent until that means something. */
  etaMs?: number
}

/** How far the copy of one object is. */
export interface Progress extends ProgressCounts {
  /** Those that earlier runs of the job had copied included; of the phase `verifying`: bytes read. */
  bytesDone: number
  bytesTotal: number
  partsDone: number
  partsTotal: number
  /** A stream is read whose size is not known: the totals are what has come so far. */
  growing?: true
}

/** How far the copy of a prefix is. */
export interface PrefixProgress extends ProgressCounts {
  bytesDone: number
  /** Of the objects chosen so far, and of those counted ahead of the listing. */
  bytesTotal: number
  /** Copied, or compared. Those that failed are not among them. */
  objectsDone: number
  /** Those chosen so far, and those counted ahead of the listing, which may be skipped yet. */
  objectsTotal: number
  objectsSkipped: number
  objectsFiltered: number
  objectsFailed: number
  /** Copied or compared a second: the rate of the last seconds. */
  objectsPerSecond: number
  /** Of a comparison: names that differ, or that only one side has. */
  objectsDiffering?: number
  /** Of the phase `deleting`: how many were deleted, and how many there are to delete. */
  objectsDeleted?: number
  objectsToDelete?: number
  /** The totals are not known yet: there may be more to come. */
  listing: boolean
}

/** How far the copy of one object is: twice a second or less often, and at the end. */
export type ProgressEvent = EventBase & Progress & { type: 'progress' }

/** The last event of a copy of one object that succeeded. */
export type DoneEvent = EventBase & Summary & { type: 'done' }

/** The last event of a call with `detach`: the job waits for whoever works on its state. */
export interface DetachedEvent extends EventBase, Ends {
  type: 'detached'
  job: string
  /** With `split`: how many of them run side by side. */
  ranges?: number
  /** The function that runs it, if there is one, and why it could not be found or called. */
  runner?: { engine?: string; where?: string; action?: string; error?: string }
}

/** The last event of a call that failed. */
export interface ErrorEvent extends EventBase {
  type: 'error'
  code: XferErrorCode
  message: string
  /** What to do. */
  hint: string
  exitCode: number
  /** The id of the job that can be resumed. */
  job?: string
  /** What held a copy back until then, if that can be said. */
  heldBack?: Summary['heldBack']
  /** Of a prefix. */
  objects?: ObjectCounts
  /** Of a comparison of prefixes: what was compared by then, */
  pairs?: PairCounts
  /** and what proved the equal pairs. */
  methods?: Partial<Record<PairMethod, number>>
  /** What was used until then, if the job had been opened. */
  usage?: import('./summaries').JobUsage
}

/** How a prefix will be copied: once, before the first object is copied. */
export interface PrefixPlanEvent extends EventBase, EnginePlan, JobPlan {
  type: 'plan'
  recursive: 'copy' | 'sync'
}

/** An object is done; in a dry run, would be. */
export interface ObjectEvent extends EventBase {
  type: 'object'
  /** gone: deleted at the source since it was listed; skip: only in a dry run. */
  action: 'copy' | 'move' | 'delete' | 'skip' | 'gone'
  /** The key without the prefix. */
  name: string
  bytes?: number
  etag?: string
  /** Base64. */
  crc32?: string
  /** The checksums that were computed of its bytes, in lower-case hex. */
  sums?: Partial<Record<SumName, string>>
  versionId?: string
  proof?: Proof[]
  /** How long its copy took; of a small object, the request that wrote it. */
  elapsedMs?: number
  /** In a dry run: the reason. */
  why?: string
  /** In a dry run: the size of the destination's object, if there is one. */
  bytesThere?: number
  /** In a dry run: the destination's object is newer than its source, and would be replaced. */
  newerThere?: true
}

/** An object could not be copied or deleted. */
export interface FailureEvent extends EventBase {
  type: 'failure'
  /** The key without the prefix. */
  name: string
  code: XferErrorCode
  message: string
  /** What to do. */
  hint: string
}

/** How far the copy of a prefix is: twice a second or less often, and at the end. */
export type PrefixProgressEvent = EventBase & PrefixProgress & { type: 'progress' }

/** The last event of a copy of a prefix that succeeded. */
export type PrefixDoneEvent = EventBase & PrefixSummary & { type: 'done' }

/** What is under way in every job. */
export type TransferEvent = NoticeEvent | RetryEvent | ThrottleEvent | HedgeEvent | OutageEvent | PhaseEvent

/** The events of `copy`. */
export type CopyEvent =
  | (PlanEvent | ResumeEvent | PartEvent | TransferEvent | ProgressEvent)
  | (DoneEvent | DetachedEvent | ErrorEvent)

/** The events of `copyPrefix`. */
export type PrefixEvent =
  | PrefixPlanEvent
  | ResumeEvent
  | ObjectEvent
  | FailureEvent
  | PartEvent
  | TransferEvent
  | PrefixProgressEvent
  | PrefixDoneEvent
  | DetachedEvent
  | ErrorEvent

/** What functions tell that ask a store about one location: what is repeated, and waited for, and what is to be known. */
export type AskEvent = CallRetryEvent | OutageEvent | NoticeEvent
/** Every event of any function. `resume` tells those of a copy, or those of a prefix: their plans have `recursive`. */
export type XferEvent = CopyEvent | PrefixEvent | VerifyEvent | PrefixVerifyEvent | DownloadEvent
