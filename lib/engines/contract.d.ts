/**
 * The contract of engines: what runs the action of actions/copy-range, and where.
 *
 * To add an engine, make a folder here whose index.js exports an `EngineFactory`, and name it in registry.js. Its suite is
 * test/contract/engine.js; a small example is test/contract/toy-engine.js.
 */

import type { Sample } from '../http/clock-difference'
import type { OptionSpec } from '../options/contract'
import type { Deployed, Finding, Undeployed } from '../types/commands'
import type { Outcome, Task } from '../types/data'

type XferError = import('../errors').XferError
type Row = import('../errors/table').Row
type CallOptions = import('../stores/contract').CallOptions

/** What an engine allows: read from the platform, or known. */
export interface EngineLimits {
  /** Invocations in flight. */
  concurrent: number
  /**
   * Invocations to begin with, where nobody can say how many help: the scheduler finds out, by what `onBytes` reports. Only
   * of engines that `can.progress`. Absent where `concurrent` is how many there should be.
   */
  startWith?: number
  /** Invocations a calendar minute; Infinity where there is no such limit. */
  perMinute: number
  /** Milliseconds that a call costs beside its work; absent where that is next to nothing. */
  invocationMs?: number
  /** How long one invocation may run. */
  timeoutMs: number
  /** After how long a call is answered without a result, which then has to be asked for; Infinity where it never is. */
  answerMs: number
  memoryBytes: number
  /** Parameters, and results, of one invocation. */
  payloadBytes: number
  /** Of one invocation, at most: its share where the user limits the whole, and the engine does not hold that by itself. */
  bytesPerSecond?: number
  /** The platform's clock less ours: its calendar minutes are the ones that count. */
  skewMs: number
}

export interface RunOptions extends CallOptions {
  /** Tasks at once; 1 when absent. */
  parallel?: number
  /** Of this invocation, at most. */
  bytesPerSecond?: number
  /** What the action must know beside its version (ActionResult's `knows`). */
  needs?: string[]
  /** Called now and then with the bytes of a part that have been moved, by engines that `can.progress`. */
  onBytes?: (partNumber: number, bytes: number) => void
}

/** What the rest of the program asks instead of an engine's name. */
export interface EngineAbilities {
  /** An abort ends what runs. Without it the call ends, and the function runs on. */
  cancel: boolean
  /** It holds `bytesPerSecond` of the whole job. Without it each invocation is given its share. */
  pace: boolean
  /** It reports bytes while a task runs. */
  progress: boolean
  /** It runs what it is given once at most. Without it a platform may run an invocation again whose container has died. */
  once: boolean
  /**
   * Rejects with ACTION_VERSION where the action that it runs lacks one of these features (ActionResult's `knows`). Absent
   * where the action is that of this very program, which has them all.
   */
  features?(wanted: string[], options?: CallOptions): Promise<void>
}

/**
 * `run` is one invocation and resolves to one outcome per task, in the tasks' order. A task that failed is an outcome, never
 * a rejection; it rejects with an XferError only when nothing is known of any task. It never repeats anything: the
 * scheduler does.
 */
export interface Engine {
  /** For people and events. Nothing else may depend on it. */
  name: string
  /** For people: where it runs. */
  where: string
  /** What its requests reach: stores of the network alone, or those of this machine too. */
  reach: 'network' | 'local'
  /** Who does the work: a platform's functions, this machine, or the store of both sides by itself. */
  runsOn: 'platform' | 'machine' | 'store'
  can: EngineAbilities
  /** Bytes of a part, for `--chunk auto`: the size that costs little, and the least that costs more to copy than to begin. */
  partBytes: { usual: number; least: number }
  /** So many invocations at once will come soon: what takes its time to start may start. */
  warm?(invocations: number): void
  limits(options?: CallOptions): Promise<EngineLimits>
  /** A small request of the platform: whether it answers at all. Absent where there is none. */
  ping?(options?: CallOptions): Promise<void>
  run(tasks: Task[], options?: RunOptions): Promise<Outcome[]>
  close(): Promise<void>
}

/** What an engine was configured with. What only the engine needs stands beside it. */
export interface EngineSettings {
  /** As `Engine.where`. */
  where: string
  /** As `Engine.reach`. */
  reach: 'network' | 'local'
  /** Where they were found, for people. */
  from: string
}

/** What a job wants of its engine. */
export interface EngineWish {
  /** How long a connection may move no byte, and a platform may keep a question waiting. */
  silenceMs?: number
  /** Invocations at once that are asked for. */
  concurrency?: number
  /** Of the whole job, at most. */
  bytesPerSecond?: number
  /** Of the action's requests; the usual one when absent. */
  transport?: 'socket' | 'http'
  /** Tasks of a few kilobytes will be given. */
  manySmall?: boolean
  /** Limits of the platform that hold whatever it says of itself. */
  limits?: Partial<EngineLimits>
  /** Certificates that the stores' settings name, PEM. */
  ca?: string
}

/** How an engine comes to be. Loading one loads no more than this: the rest of its folder is loaded when it is used. */
export interface EngineFactory<Settings extends EngineSettings = any> {
  /** What `--engine` takes. */
  name: string
  /** Part of this program: it needs no settings, reaches what this machine reaches, and may be given a customer's own key. */
  embedded?: true
  words: {
    /** What moves the bytes, for the help of `--engine`. */
    engine: string
    /** Absent of an embedded one. */
    platform?: {
      /** As people call it. */
      name: string
      /** How it is configured, half a sentence after its name, for the help. */
      configured: string
      /** One sentence for the help of `xfer deploy`. */
      deployNote: string
    }
  }
  options: OptionSpec[]
  /** Rows of the table of errors, by code. */
  errors: Record<string, Row>
  /** Throws USAGE where an option has a wrong value. It is called whichever engine is chosen. */
  checkOptions?(options: Record<string, any>): void
  /** Reads settings, and asks nothing of the network. Undefined where there are none; throws USAGE where they are wrong. */
  configured(options: Record<string, any>, env: NodeJS.ProcessEnv): Settings | undefined | Promise<Settings | undefined>
  /** The error of who asks for it without settings. neededBy: a command that nothing else can serve. */
  missing?(neededBy?: string): XferError
  open(settings: Settings, wish: EngineWish): Engine
  /** Puts the action on the platform, or brings it up to date. Options are those of `xfer deploy`, read. */
  deploy?(options: Record<string, any>): Promise<Deployed>
  undeploy?(options: Record<string, any>): Promise<Undeployed>
  /** The checks of `xfer doctor`. */
  checks?(options: Record<string, any> & { env: NodeJS.ProcessEnv; signal?: AbortSignal }): EngineChecks
}

export interface Check {
  name: string
  /** Checks without whose success it makes no sense. */
  needs?: string[]
  limitMs: number
  /** It must not be left in its middle: it keeps its own deadlines. */
  cleans?: boolean
  /** The status of its failure, where that has none of its own. */
  exit?: number
  /** What is certain whatever came of the checks that it needs. */
  foregone?: () => Finding | undefined
  /** A rejection is a failure too. */
  run(signal: AbortSignal): Promise<Finding>
}

export interface EngineChecks {
  /** One of them is named `invocation`: whether the action answers. */
  checks: Check[]
  found: EngineFound
}

/** What an engine's checks find out, for those that come later. */
export interface EngineFound {
  /** Undefined where none is configured; it may still be out of reach. */
  settings?: EngineSettings
  clocks: Sample[]
  /** The finding of a check where no platform is configured. */
  none: Finding
  /** What errors say of the engine. */
  facts(): Record<string, any>
  /** Resolves to the action's result; rejects with an XferError. */
  invoke(params: object): Promise<any>
  close(): void
}
