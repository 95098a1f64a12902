/** Notices and events as the library emits them within itself. */

import type { AnyEvent } from './public'

/** Made by lib/notices. */
export interface Notice {
  type: 'notice'
  /** A key of the table. */
  code: string
  /** One sentence, for people. */
  message: string
  /** What the sentence speaks of. `location`: the object that it is about, where there is one. */
  facts: Record<string, any>
}

type WithNotices<T> = T extends { type: 'plan' } ? Omit<T, 'notices' | 'noticeCodes'> & { notices: Notice[] } : never

/** What a job emits; lib/job/run.js makes the public event of it. */
export type JobEvent = Exclude<AnyEvent, { type: 'notice' | 'plan' }> | WithNotices<AnyEvent> | Notice
