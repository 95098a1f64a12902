/** Notices and events inside the library. */

import type { AnyEvent } from './public'

/** Made by lib/notices. */
export interface Notice {
  type: 'notice'
  /** A key of the table. */
  code: string
  /** One sentence, for users. */
  message: string
  /** The values in the sentence. `location`: the object that it is about, if there is one. */
  facts: Record<string, any>
}

type WithNotices<T> = T extends { type: 'plan' } ? Omit<T, 'notices' | 'noticeCodes'> & { notices: Notice[] } : never

/** What a job emits; lib/job/run.js turns it into a public event. */
export type JobEvent = Exclude<AnyEvent, { type: 'notice' | 'plan' }> | WithNotices<AnyEvent> | Notice
