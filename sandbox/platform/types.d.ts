import type { CallFault } from '../common/types'

/**
 * The shapes that the platform's files share. Sizes are bytes unless the name says MB (mebibytes), times are milliseconds,
 * points in time are milliseconds since the epoch.
 */

export interface Range {
  min: number
  max: number
  default: number
}

/** What the platform allows; upstream: application.conf, core/standalone's standalone.conf. */
export interface Limits {
  /** Activations of the namespace in flight, queued ones included. */
  concurrent: number
  /** Invocations a calendar minute, refused ones included. */
  perMinute: number
  timeoutMs: Range
  memoryMB: Range
  /** Parameters of an invocation, and its result. */
  payloadBytes: number
  /** After which a blocking invocation is answered with 202. */
  blockingMs: number
  /** The most entries of a page of the activation list. */
  listed: number
  /** In how many invocations a calendar minute the header `X-OW-EXTRA-LOGGING: on` counts; in others it is ignored. */
  extraLogging: number
}

/**
 * Names of the collections, as faults and the router use them. `invoke` is a POST on an action; `info` is what needs no
 * authentication (`GET /` and `GET /api/v1`).
 */
export type FaultTarget =
  | 'invoke'
  | 'triggers'
  | 'rules'
  | 'actions'
  | 'packages'
  | 'activations'
  | 'limits'
  | 'namespaces'
  | 'info'

/** One kind of misbehaviour.  */
export interface Fault extends CallFault {
  /** Which calls; default `invoke`. */
  on?: FaultTarget
  /** The error's text; the platform's usual one for the status when absent. */
  message?: string
  /** Answer a blocking invocation with 202 at once. */
  accepted?: boolean
  /** The call is answered with 202, and nothing is ever run. */
  lost?: boolean
  /** The activation's record never appears. */
  recordNever?: boolean
  /** The container exits when the action has answered, so that its work is done and its answer is lost. */
  death?: 'exit'
  /**
   * The container dies when the action has answered, or after `killAfterMs`, and the platform runs the same activation again in
   * another one, once, as upstream does if a warm container dies. The work is done twice, and the client is not told.
   */
  rerun?: boolean
  /** The container dies while it loads the action: the activation waits until its time limit, and then fails with a timeout. */
  dieLoading?: boolean
  /** The container refuses the request, because it is still starting. Nothing is run. */
  unready?: 'starting'
  /** The answer to /run instead of the action's own, after its work is done: status 200 by default, and this body as JSON. */
  answer?: { status?: number; body: unknown }
}

/** Times are milliseconds. */
export interface PlatformOptions {
  /** 0, a free one */
  port?: number
  /** `uuid:key`, random */
  auth?: string
  /** 'guest' */
  namespace?: string
  limits?: { [K in keyof Limits]?: Limits[K] extends Range ? Partial<Range> : number }
  /** 8 processes at most; more activations queue. */
  containers?: number
  /** The kinds that it offers, the default first: nodejs:20 and nodejs:18. All of them run on this Node.js. */
  runtimes?: string[]
  /** 0, from the answer until the activation has its record and no longer counts as in flight. */
  completionMs?: number
  /**
   * False; whether a blocking invocation that succeeds leaves no record, unless its header `X-OW-EXTRA-LOGGING: on` counts. Upstream:
   * whisk.activation.store-blocking-result-level=STORE_FAILURES.
   */
  onlyFailureRecords?: boolean
  /** Date.now; for the calendar minutes and the header `Date`. */
  clock?: () => number
  /** False; whether it has the feed of alarms, as Adobe's. */
  alarms?: boolean
  /** None; where packages and actions are stored, and loaded from by a platform that starts later. */
  file?: string
  faults?: Fault[]
}

export interface Settings extends Required<Omit<PlatformOptions, 'limits' | 'file'>> {
  limits: Limits
  file?: string
}

export interface KeyValue {
  key: string
  value: unknown
}

export interface Package {
  name: string
  annotations: KeyValue[]
  parameters: KeyValue[]
  binding: { namespace?: string; name?: string }
  updated: number
  version: string
}

export interface Exec {
  kind: string
  code: string
  binary: boolean
  main?: string
}

export interface ActionLimits {
  timeout: number
  memory: number
  logs: number
  concurrency: number
}

export interface Action {
  /** Undefined in the default package. */
  package?: string
  name: string
  annotations: KeyValue[]
  parameters: KeyValue[]
  exec: Exec
  limits: ActionLimits
  updated: number
  version: string
  /** Increases with every write, so that a changed action gets new containers. */
  revision: number
}

/** An activation's status code: 0 success, 1 application error, 2 action developer error, 3 whisk internal error. */
export type StatusCode = 0 | 1 | 2 | 3

export interface ActivationResponse {
  statusCode: StatusCode
  result: unknown
  size?: number
}

export interface Activation {
  activationId: string
  /** Where the action is: `namespace/package/action`. */
  path: string
  name: string
  version: string
  annotations: KeyValue[]
  start: number
  end: number
  duration: number
  response: ActivationResponse
}

export type ContainerAnswer =
  | { kind: 'answer'; status: number; text: string; bytes: number; truncated: boolean }
  | { kind: 'timeout' }
  | { kind: 'gone'; refused: boolean }

/** The process that runs an activation. */
export interface Container {
  pid: number | undefined
  initialised: boolean
  /** Resolves when /init and /run can be called; rejects when the container can't be started. */
  started: Promise<void>
  /** Resolves when the container has exited and is cleaned up; `outOfMemory`: whether that was the reason. */
  exited: Promise<{ outOfMemory: boolean }>
  /** Never rejects. */
  post(
    path: '/init' | '/run',
    body: unknown,
    options: { timeoutMs: number; maxBytes: number; onSent?: () => void },
  ): Promise<ContainerAnswer>
  pause(): void
  resume(): void
  kill(): void
}
