import type { createControlApi } from './api'
import type { CallFault } from '../common/types'
import type { Container } from '../common/processes/pool'

/**
 * The shapes that the files of the Lambda service share. Sizes are bytes unless the name says MB (mebibytes), times are
 * milliseconds unless the name says S, points in time are milliseconds since the epoch.
 */

/** Names of the API's operations, as faults and the router use them. */
export type Operation = 'Invoke' | keyof ReturnType<typeof createControlApi>

/**
 * One kind of misbehaviour, in the language of the OpenWhisk platform's faults.
 */
export interface Fault extends CallFault {
  /** Which calls; default `Invoke`. */
  on?: Operation
  /** The error's name; the usual one for the status when absent. */
  code?: string
  /** Of a 429; default `ConcurrentInvocationLimitExceeded`. */
  reason?: string
  /** Seconds, sent as `Retry-After`, as AWS sends `retryAfterSeconds`. */
  retryAfter?: number
  /**
   * How the invocation ends: the runtime exits, or is killed for its memory. After `killAfterMs`; without it, when the function
   * has answered, so that its work is done and its answer is lost.
   */
  death?: 'exit' | 'memory'
}

export interface LambdaOptions {
  port?: number
  region?: string
  accessKeyId?: string
  secretAccessKey?: string
  /** Invocations of the account in flight; default 1,000. */
  concurrent?: number
  /** Environments that are processes, at once; more invocations wait, which AWS's do not. */
  processes?: number
  /** How long a new function is Pending, and an update InProgress. */
  pendingMs?: number
  /** Milliseconds since the epoch; default `Date.now`. */
  clock?: () => number
  faults?: Fault[]
}

export type Settings = Required<LambdaOptions>

/** What an environment runs: a function's code and configuration at one time. */
export interface Version {
  name: string
  arn: string
  /** Increases with every change, so that a changed function gets new environments. */
  revision: number
  configuration: Configuration
  code: Code
}

export interface Configuration {
  Runtime: string
  Role: string
  Handler: string
  Description: string
  Timeout: number
  MemorySize: number
  Environment?: { Variables: Record<string, string> }
  Architectures: string[]
}

export interface Code {
  /** Base64. */
  sha256: string
  /** Where it is unpacked. */
  directory: string
}

export interface LambdaFunction {
  name: string
  latest: Version
  activeAtMs: number
  updatedAtMs: number
}

/** How an invocation ended. */
export type Outcome =
  | { kind: 'answer'; body: Buffer; isError: boolean }
  | { kind: 'tooLarge'; bytes: number }
  | { kind: 'timeout' }
  | { kind: 'ended'; code: number | null; signal: string | null; outOfMemory: boolean }

export interface Invocation {
  requestId: string
  event: Buffer
  /** When the environment was given the event. */
  onSent?: () => void
}

/** The process that runs invocations, one at a time. */
export interface Environment extends Container {
  /** Whether it has been given an event before. */
  warm: boolean
  /** Whether it cannot be given another event, although the last one was answered. */
  readonly spent: boolean
  /** Never rejects. Resolves when the environment can be given the next event, or has ended. */
  invoke(invocation: Invocation): Promise<Outcome>
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: object | Buffer
}

export interface Call {
  method: string
  rawPath: string
  headers: Map<string, string[]>
  query: Map<string, string>
  /** The same, where names come more than once. */
  queryList: [string, string][]
  header(name: string): string | undefined
  body: Buffer
  requestId: string
  operation: Operation | undefined
  /** What follows from the path: a function's name, with what qualifies it, and others. */
  parameters: string[]
  fault: Fault
}
