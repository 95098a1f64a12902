/**
 * The contract of engines: what runs the action of actions/copy-range, and where.
 *
 * To add an engine, make a folder here whose index.js exports an `EngineFactory`, and name it in registry.js. Its suite is
 * test/contract/engine.js; a small example is test/contract/toy-engine.js.
 */

import type { Outcome, Task } from '../types/data'

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
