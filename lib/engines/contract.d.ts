/**
 * The contract of engines, which run the action of actions/copy-range.
 *
 * To add an engine, make a folder here whose index.js exports an `EngineFactory`, and name it in registry.js. Its suite is
 * test/contract/engine.js.
 */

import type { Sample } from '../http/connection'
import type { OptionRow } from '../options/contract'
import type { Checked, Deployed, Undeployed } from '../api/reports'
import type { Outcome, RunnerCall, Task, XferError } from '../types'

type ErrorRow = import('../errors/table').ErrorRow
import type { CallOptions } from '../stores/contract'

/** How fast a platform starts environments of a function: `atOnce` at a time, and then `perSecond`. */
export interface Ramp {
  atOnce: number
  perSecond: number
}

/** The limits of an engine, read from the platform or known. */
export interface EngineLimits {
  /** Invocations in flight. */
  concurrent: number
  /** Invocations per calendar minute; Infinity without such a limit. */
  perMinute: number
  /** Absent if new environments start as fast as they are needed. */
  ramp?: Ramp
  /** The overhead of a call in milliseconds; absent if it is close to zero. */
  invocationMs?: number
  /** Called with how many containers work at a time, where invocations wait for one. */
  onPool?: (containers: number) => void
  /** The timeout of one invocation. */
  timeoutMs: number
  /** The time after which a call is answered without a result, which must then be requested; Infinity if that never happens. */
  answerMs: number
  memoryBytes: number
  /** As of the engine, where the platform tells it. */
  provider?: string
  /** The most bytes of the parameters of one invocation, and of its results. */
  payloadBytes: number
  /** The user's limit of all invocations together, in bytes per second, if the engine does not keep it itself. */
  bandwidth?: number
  /** The least share of `bandwidth` that one invocation gets. */
  bytesPerSecond?: number
  /** While so many bytes are in flight nothing more starts: set with the user's limit of the bandwidth. */
  bytesInFlight?: number
  /** The platform's clock minus ours: limits per minute follow the platform's clock. */
  skewMs: number
}

export interface AnsweredLimits extends EngineLimits {
  /** In a dry run: the error with which a copy would end now. The limits of a function are assumed. */
  notReady?: XferError
}

export interface RunOptions extends CallOptions {
  /** Concurrent tasks; default 1. */
  parallel?: number
  /** The bandwidth limit of this invocation. */
  bytesPerSecond?: number
  /** Called at intervals with the bytes of a part that were copied, by engines that `can.progress`. */
  onBytes?: (partNumber: number, bytes: number) => void
  /**
   * Called, by platforms that tell it, with how long the invocation waited for a container, when it began to run, by the
   * platform's clock, and for how long; isNew: the container was started for it, which is a part of the wait.
   */
  onQueued?: (told: { startMs: number; waitedMs: number; ranMs: number; isNew: boolean }) => void
  /** Called if the platform has answered without the result: the invocation goes on, and its result may never be told. */
  onWaiting?: () => void
  /** Whether the destination has shown all that the tasks write: nothing of them goes on once its wait is aborted. */
  isShown?: () => boolean
  /** Called if an abort ends only the wait: with a promise that settles when the function has ended (lib/schedule/task.js). */
  onDetached?: (ended: Promise<unknown>) => void
}

/** The program asks for these abilities, never for an engine's name. */
export interface EngineAbilities {
  /** An abort ends running tasks. Without this ability the call ends, but the function runs on. */
  cancel: boolean
  /** It keeps the job's `bytesPerSecond` itself. Without this ability each invocation gets a share. */
  pace: boolean
  /** It reports bytes while a task runs. */
  progress: boolean
  /** It runs each invocation at most once. Without this ability a platform may run it again if its container has died. */
  once: boolean
  /** Up to so many bytes a task may have `late` in place of its write. Absent: requests are signed before they are handed over. */
  signsLate?: number
}

/**
 * `run` is one invocation. It resolves to one outcome per task, in the tasks' order. A failed task is an outcome, not a
 * rejection: `run` rejects with an XferError only if nothing is known about any task. It never retries; the scheduler does.
 */
export interface Engine {
  /** For messages and events only. */
  name: import('../api/codes').EngineName
  /** For messages: where it runs. */
  where: string
  /** The stores that its requests can reach: on the network; also on this machine (`local`); also files and memory (`process`). */
  reach: 'network' | 'local' | 'process'
  /** Whose it is, by the name that lists of prices have; absent: nobody's that is known. */
  readonly provider?: string
  /** Where the work is done: by a platform's functions, on this machine, or by the store of both sides. */
  runsOn: 'platform' | 'machine' | 'store'
  can: EngineAbilities
  /** Part sizes for `--chunk auto`: the usual one, and the smallest one that is worth its overhead. */
  partBytes: { usual: number; least: number }
  /**
   * Concurrent invocations at the start, if the best number is unknown: the scheduler finds it by the progress that `onBytes`
   * reports. Only for engines that `can.progress`. Absent if the most that the limits allow is the best number.
   */
  startWith?: number
  /** Announces that many concurrent invocations, so that the engine can start what takes time. */
  warm?(invocations: number): void
  /** dryRun: a function that is missing or too old is told in `notReady`, and fails nothing. */
  limits(options?: CallOptions & { dryRun?: boolean }): Promise<AnsweredLimits>
  /** A small request, to find out whether the platform answers. Absent without a platform. */
  ping?(options?: CallOptions): Promise<void>
  run(tasks: Task[], options?: RunOptions): Promise<Outcome[]>
  close(): Promise<void>
}

/** The settings of an engine. Each engine adds its own. */
export interface EngineSettings {
  /** As `Engine.where`. */
  where: string
  /** As `Engine.reach`. */
  reach: 'network' | 'local' | 'process'
  /** For messages: where the settings were found. */
  from: string
}

/** The job's options for its engine. */
export interface EngineWish {
  /** How long a connection may be silent, and how long the platform may take to answer. */
  silenceMs?: number
  /** The requested number of concurrent invocations. */
  concurrency?: number
  /** The bandwidth limit of the whole job. */
  bytesPerSecond?: number
  /** The bytes of objects that this process may hold. */
  memoryBytes?: number
  /** Certificates from the stores' settings, PEM. */
  ca?: string
}

export interface OpenRunner {
  /** The platform. */
  where: string
  action: string
  /** Undefined: it is not there. profiles: whose keys it has; absent: it has a role; provider: whose prices apply, if they have a name. */
  deployed(): Promise<{ profiles?: string[]; provider?: string } | undefined>
  /** Calls it and does not wait for its end. */
  start(call: RunnerCall): Promise<void>
  /** Calls it and waits for its result. */
  ask(call: RunnerCall): Promise<any>
}

/** `xfer work` as a function of the platform. */
export interface PlatformRunner<Settings> {
  /** What the archive exports for this platform. */
  entry: string
  /** What the platform has called it with. */
  read(args: any[], env: NodeJS.ProcessEnv): { call: RunnerCall; deadlineMs: number; memoryBytes: number }
  /** As it is called: nothing is asked yet. */
  open(settings: Settings, env: NodeJS.ProcessEnv): OpenRunner
  deploy(options: any): Promise<Deployed>
  undeploy(options: any): Promise<Undeployed>
}

/** Makes an engine. Loading a factory loads nothing else: the rest of its folder is loaded when it is used. */
export interface EngineFactory<Settings extends EngineSettings = any> {
  /** A value of `--engine`. */
  name: string
  /** Part of this program: needs no settings, reaches what this machine reaches, and may get an encryption key of the user. */
  embedded?: true
  words: {
    /** For the help of `--engine`: what copies the bytes. */
    engine: string
    /** Absent for an embedded engine. */
    platform?: {
      /** Its name in messages. */
      name: string
      /** For the help: how it is configured, as a clause after its name. */
      configured: string
      /** A sentence for the help of `xfer deploy`, if the engine deploys. */
      deployNote?: string
      /** If it does not deploy: what `xfer deploy` advises instead. */
      insteadOfDeploy?: string
    }
  }
  /** The options that it understands. Engines with an option in common share its row, the same object. */
  options: OptionRow[]
  /** Rows of the table of errors, by code. */
  errors: Record<string, ErrorRow>
  /** Throws USAGE if an option has a wrong value. Called whichever engine is chosen. */
  checkOptions?(options: Record<string, any>): void
  /** Reads the settings, without any request. asked: it was named. Undefined if there are none; throws USAGE if they are wrong. */
  configured(
    options: Record<string, any>,
    env: NodeJS.ProcessEnv,
    asked?: boolean,
  ): Settings | undefined | Promise<Settings | undefined>
  /** The error if it was named, but is not configured. */
  missing?(): XferError
  open(settings: Settings, wish: EngineWish): Engine
  /** Deploys the action, or updates it. Takes the parsed options of `xfer deploy`. */
  deploy?(options: Record<string, any>): Promise<Deployed>
  undeploy?(options: Record<string, any>): Promise<Undeployed>
  /** Of the engines that deploy. */
  runner?: PlatformRunner<Settings>
  /** The checks of `xfer doctor`. */
  checks?(options: Record<string, any> & { env: NodeJS.ProcessEnv; signal?: AbortSignal }): EngineChecks
}

/** What a check found. */
export type Finding = Omit<Checked, 'name'>

export interface Check {
  name: string
  /** Checks that must have passed before. */
  needs?: string[]
  limitMs: number
  /** It must not be interrupted, because it cleans up: it keeps its own time limits. */
  cleans?: boolean
  /** The exit status of its failure, if the error has none. */
  exit?: number
  /** A finding that does not depend on the checks that it needs. */
  foregone?: () => Finding | undefined
  /** A rejection counts as a failure. */
  run(signal: AbortSignal): Promise<Finding>
}

export interface EngineChecks {
  /** One of them is named `invocation`: it shows whether the action answers. */
  checks: Check[]
  found: EngineFound
}

/** Findings of an engine's checks, for later checks. */
export interface EngineFound {
  /** Undefined if none is configured. The platform may be unreachable. */
  settings?: EngineSettings
  clocks: Sample[]
  /** The finding of a check if no platform is configured. */
  none: Finding
  /** Facts for errors of the engine. */
  facts(): Record<string, any>
  /** Resolves to the action's result; rejects with an XferError. */
  invoke(params: object): Promise<any>
  close(): void
}
