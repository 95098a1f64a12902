/** Notices and events inside the library: an event gets its time when it is told to the user. */

import type { PrefixVerifyEvent, VerifyEvent } from '../api/comparisons'
import type { DownloadEvent } from '../api/streams'
import type {
  CopyEvent,
  HedgeEvent,
  OutageEvent,
  PartEvent,
  PartRetryEvent,
  PrefixEvent,
  ThrottleEvent,
} from '../api/events'

/** Made by lib/notices. */
export interface Notice {
  type: 'notice'
  code: import('../api/codes').NoticeCode
  /** One sentence, for users. */
  message: string
  /** The values in the sentence. `location`: the object that it is about, if there is one. */
  facts: Record<string, any>
}

/** Public events before they get their time. */
export type Untimed<E> = E extends unknown ? Omit<E, 'time'> : never

/** The events of any job. */
export type AnyEvent = Untimed<CopyEvent | PrefixEvent | PrefixVerifyEvent | DownloadEvent>

export type SchedulerEvent = Untimed<PartEvent | PartRetryEvent | ThrottleEvent | HedgeEvent>

export type OutageNews = Untimed<OutageEvent>

export type ComparisonEvent = Untimed<VerifyEvent>

type WithNotices<T> = T extends { type: 'plan' } ? Omit<T, 'notices' | 'noticeCodes'> & { notices: Notice[] } : never

/** What a job emits; lib/job/run.js turns it into a public event. */
export type JobEvent = Exclude<AnyEvent, { type: 'notice' | 'plan' }> | WithNotices<AnyEvent> | Notice
