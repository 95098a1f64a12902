/**
 * What a job consists of. Nothing here is changed, or cloned with changes, once it is made; an object in parts below a prefix has a run
 * of its own, with its own events and journal (lib/many/large.js).
 */

import type { Trust } from '../destination/canary'
import type { Pressure } from '../schedule/pressure'
import type { Engine, JobEvent, JobJournal, ManifestWriter, StoreSettings, Store } from '../types'

/** What was asked for: read, checked and frozen. */
export type Settings = Readonly<ReturnType<typeof import('./open').readSettings>>

/** One of the two ends. */
export interface Side {
  /** Control calls are repeated where that can help. */
  readonly store: Store
  readonly key: string
  /** For people, as the user typed it. */
  readonly text: string
  /** The same without what belongs to this machine, such as a profile. */
  readonly plain: string
  /** Of the object; the newest when absent. */
  readonly versionId?: string
  /** Equal for two that are one object. */
  readonly place: string
  readonly settings: StoreSettings
}

/** What a run has before its journal is open. */
export interface UnwrittenRun {
  /** Soft: nothing more starts, and what is in flight may come home. */
  readonly cancel: AbortSignal | undefined
  /** Hard: what is in flight ends too. */
  readonly abort: AbortSignal | undefined
  /** Ends the job by itself: `cancel` is aborted. */
  readonly end: (reason: unknown) => void
  /** Ends it as Ctrl-C does. */
  readonly stop: (reason: import('../types').XferError) => void
  readonly emit: (event: JobEvent) => void
  /** Who sees each event before it is told, one at a time. False: it is not told. */
  readonly watchedBy: (saw: (event: JobEvent) => unknown) => void
  /** What the stores bear, and their outages. */
  readonly pressure: Pressure
  readonly usage: ReturnType<typeof import('../cost').createUsage>
}

/** What happens while the job runs: how it is ended, what it tells, and what it writes down. */
export interface Run extends UnwrittenRun {
  readonly journal: JobJournal
  /** Absent without `--manifest-out`. */
  readonly manifestOut?: ManifestWriter
}

export interface Job {
  readonly settings: Settings
  readonly source: Side
  readonly destination: Side
  readonly engine: Engine
  /** Why the engine was chosen. */
  readonly why: string
  /** `copies`: the store of both ends is asked first to copy by itself. `pulls`: the destination is asked to read the source. */
  readonly asksServer: 'copies' | 'pulls' | false
  /** Whether the destination checks what it is sent. */
  readonly trust: Trust
  readonly run: Run
  /** The job's timers, connections and threads. */
  readonly close: () => Promise<void>
}

/**
 * What the writers are given of a job: of one object, with its own ends, events and journal; or of all objects of a prefix
 * that take one way.
 */
export interface Context extends Pick<Job, 'settings' | 'source' | 'destination' | 'engine' | 'trust' | 'run'> {
  /** Whether an upload that ends early is kept, to be gone on with. */
  readonly keepsUploads: () => boolean
}

/** The function of a platform that runs jobs. */
export interface RunsAs {
  engine: string
  /** The platform. */
  where: string
  memoryBytes: number
  /** Until then its time is counted, epoch milliseconds; changed. */
  countedMs: number
}
