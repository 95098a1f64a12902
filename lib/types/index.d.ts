/**
 * The shapes that cross a module boundary: those of lib/api, which users meet, and the inner ones. Everything that one file
 * alone knows is typed in that file.
 * Sizes are bytes, times are milliseconds, points in time are milliseconds since the epoch.
 */

import type * as xfer from '../index'

export type * from '../index'
export * from './data'
export * from '../engines/contract'
export * from '../stores/contract'
export * from '../stores/s3/types'
export * from './writing'
export * from './journal'
export * from './listing'
export * from './verdict'
export * from './manifest'
export * from './runner'

/** The class of lib/errors/index.js, which knows more than the one that users meet. */
export type XferError = InstanceType<typeof import('../errors')['XferError']>

/** The two sides of a copy. */
export type SideName = 'source' | 'destination'

/* Notices and events inside the library: an event gets its time when it is told to the user. */

/** Made by lib/notices. */
export interface Notice {
  type: 'notice'
  code: xfer.NoticeCode
  /** One sentence, for users. */
  message: string
  /** The values in the sentence. `location`: the object that it is about, if there is one. */
  facts: Record<string, any>
}

/** Public events before they get their time. */
export type Untimed<E> = E extends unknown ? Omit<E, 'time'> : never

/** The events of any job. */
export type AnyEvent = Untimed<xfer.CopyEvent | xfer.PrefixEvent | xfer.PrefixVerifyEvent | xfer.DownloadEvent>

export type SchedulerEvent = Untimed<xfer.PartEvent | xfer.PartRetryEvent | xfer.ThrottleEvent | xfer.HedgeEvent>

export type OutageNews = Untimed<xfer.OutageEvent>

export type ComparisonEvent = Untimed<xfer.VerifyEvent>

type WithNotices<T> = T extends { type: 'plan' } ? Omit<T, 'notices' | 'noticeCodes'> & { notices: Notice[] } : never

/** What a job emits; lib/job/run.js turns it into a public event. */
export type JobEvent = Exclude<AnyEvent, { type: 'notice' | 'plan' }> | WithNotices<AnyEvent> | Notice

/* Options as the inner rooms pass them on: of either side, of any copy. */

/**
 * The options of either side; `sseC`: the job began with a customer key, `ownCredentials`: with credentials of its program. Both
 * must be given again. `endpointKept`: the endpoint is that of the journal.
 */
export type SideOptions = xfer.SourceOptions &
  xfer.DestinationOptions & {
    sseC?: boolean
    ownCredentials?: boolean
    endpointKept?: boolean
    /** How buckets are addressed, as the profile says: only a journal has it. */
    addressing?: string
    headerNames?: string
    queryDigest?: string
  }

type Wish<T> = Omit<T, 'onEvent' | 'source' | 'destination'>

/** The options of a copy of one object or of a prefix, given now or kept by a journal. */
export type JobWish = Wish<xfer.CopyOptions> &
  Wish<xfer.PrefixOptions> &
  Wish<xfer.ResumeOptions> &
  Wish<xfer.UploadOptions> & {
    source?: SideOptions
    destination?: SideOptions
    namesDigest?: string
    move?: boolean
    /** For its turn, of the time that it has. */
    waitedMs?: number
  }
