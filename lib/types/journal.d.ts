/** The journal of a job: see lib/journal/index.js and docs/design/journal.md. */

import type { CopyOptions, PrefixOptions, SideOptions } from './options'
import type { Concession } from './writing'
import type { NameRange } from './listing'

/** One end of a job. */
export interface JobEnd {
  /** For people, without credentials. */
  text: string
  /** Equal for the same object, however it was written. */
  place: string
}

/** Options that say which objects of a prefix, and how they are compared. */
type SelectName = Exclude<keyof PrefixOptions, keyof CopyOptions | 'recursive'>

/** What a job is started again with. What is of one run alone, and what is secret, is not among it. */
export type JobOptions = Omit<
  CopyOptions,
  'restart' | 'dryRun' | 'timeout' | 'signal' | 'onEvent' | 'env' | 'source' | 'destination'
> & {
  source?: SideOptions
  destination?: SideOptions
  recursive?: 'copy' | 'sync'
  /** Which objects of a prefix. */
  select?: Partial<Pick<PrefixOptions, SelectName>>
}

export interface JobPart {
  partNumber: number
  bytes: number
  /** As the destination sent it. */
  etag: string
  /** Of the bytes, an unsigned 32-bit integer; absent where it was not computed (`--verify none`). */
  crc32?: number
  /** Lower-case hex. */
  md5?: string
  /** Its store copied it by itself. */
  server?: true
}

/** The object that an upload has become, and what is held against it until it is read back. */
export interface CompletedUpload {
  etag: string
  versionId?: string
  /** As of Written. */
  doubtful?: true
  /** As of Written. */
  contradiction?: string
}

export interface JobUpload {
  id: string
  checksums: boolean
  plain?: true
  /** Its store is known to check the checksums of its parts. */
  checked?: true
  /** Its ETags are no MD5s, by the store's own word. */
  encrypted?: true
  without?: Concession[]
}

/** Of one object's copy. */
export type ObjectFact =
  | { type: 'object'; bytes: number; etag: string; versionId?: string; lastModifiedMs?: number }
  | { type: 'plan'; route: 'put' | 'multipart'; partBytes: number; parts: number }
  /** Before an upload is asked for: whose answer is lost may be there all the same. */
  | { type: 'creating'; atMs: number }
  /** What was asked for is not there, or was aborted. */
  | { type: 'cleared' }
  /** A new one: the parts of the one before, and its completion, are void. */
  | ({ type: 'upload' } & JobUpload)
  /** Counts only for the upload that is the job's. */
  | ({ type: 'part'; upload: string } & JobPart)
  | { type: 'completing'; upload: string; crc32?: number }
  /** It has become this object, which is still to be proved. */
  | ({ type: 'completed'; upload: string } & CompletedUpload)
  /** Of that object so many bytes were read back, and are what was sent: the range of a part. */
  | { type: 'checked'; upload: string; partNumber: number }
  /** The upload is no more, and its parts are void. */
  | { type: 'gone'; upload: string }
  /** One before the upload, which may be there still. */
  | { type: 'left'; upload: string }

/** Of a job over a prefix; names are keys without it. */
export type PrefixFact =
  /** Of a large object that is under way. */
  | { type: 'of'; name: string; fact: ObjectFact }
  /** That object is done, or will not be done by this job. */
  | { type: 'over'; name: string }
  /** unsure: what is at the destination may be of that attempt, and is not proved. */
  | { type: 'failed'; name: string; unsure?: true }
  /**
   * What is in none of them is done; all of them in one line, so that none can be lost alone. copied: so far, by all runs of
   * the job.
   */
  | { type: 'ranges'; ranges: NameRange[]; copied?: { objects: number; bytes: number }; done?: PrefixDone }

/** Of objects of the source that are in none of the ranges. */
export interface PrefixDone {
  listed: number
  skipped: number
  filtered: number
}

/** What a job's run writes down. */
export type JournalFact =
  | { type: 'job'; version: number; id: string; source: JobEnd; destination: JobEnd; options: JobOptions }
  | ObjectFact
  | PrefixFact
  /** How a run ended without finishing the job. */
  | { type: 'ended'; code: string; message: string; atMs?: number }

/** A run lays its hand on the journal; see lib/journal/claims.js. */
export interface Claim {
  /** A nonce. */
  owner: string
  pid: number
  host: string
  /** Tells this process from another one with its number; undefined where the system does not tell. */
  processStart?: string
  /** The dead owner that it takes the journal over from. */
  takes?: string
}

export type LockFact = ({ type: 'claim' } & Claim) | { type: 'release' | 'heartbeat'; owner: string }

/** A line of a journal. */
export type JournalEntry = {
  /** Sequence number: the newest fact is the one with the greatest. */
  n: number
  /** When it was written, by the clock of who wrote it. */
  at: number
} & (JournalFact | LockFact)

/** What is known of the copy of one object. */
export interface ObjectState {
  object?: { bytes: number; etag: string; versionId?: string; lastModifiedMs?: number }
  plan?: { route: 'put' | 'multipart'; partBytes: number; parts: number }
  /** An upload was asked for, and what came of it is not written. */
  creatingMs?: number
  upload?: JobUpload
  /** Uploads before that one of which nobody wrote that they are gone. */
  left: string[]
  /** Of the upload, by number. */
  parts: Map<number, JobPart>
  completing?: { crc32?: number }
  completed?: CompletedUpload
  /** Numbers of the parts whose ranges were read back. */
  checked?: Set<number>
}

export interface JobState extends ObjectState {
  id: string
  path: string
  createdMs: number
  updatedMs: number
  source: JobEnd
  destination: JobEnd
  options: JobOptions
  /** Of a job over a prefix. */
  prefix?: {
    /** What is still to be done; absent: nothing is known of it. */
    ranges?: NameRange[]
    copied?: { objects: number; bytes: number }
    done?: PrefixDone
    /** Large ones that are under way, by name. */
    objects: Map<string, ObjectState>
    /** Names. */
    failed: Set<string>
    /** Those of them whose object at the destination may be a wrong one of ours. */
    unsure?: Set<string>
  }
  /** How the last run ended; absent when something was written after it. */
  ended?: { code: string; message: string; atMs: number }
  /** Lines that could not be read. */
  damaged: number
}

/** A journal of which nothing can be told but where it is. */
export interface DamagedJob {
  id: string
  path: string
  /** One sentence. */
  problem: string
  /** Ids of those that its lines speak of; undefined where not even they can be read. */
  uploads?: string[]
}

export type ListedJob = (JobState & { running: boolean; problem?: undefined }) | DamagedJob

export interface Journal {
  /** Live: what is written changes it. */
  state: JobState
  path: string
  /** It was opened by a path outside the folder: it may be anybody's. */
  brought: boolean
  /** Resolves when the fact is on the disk; rejects with BAD_JOURNAL when it could not be put there (yet: it is tried again with the next one). */
  write(fact: JournalFact): Promise<void>
  /** It is on the disk soon. Never throws; see `onTrouble` of openJournals. */
  note(fact: JournalFact): void
  /** Resolves when what was noted is on the disk, or could not be put there. Never rejects. */
  flush(): Promise<void>
  /** Flushes, lets go of the journal, closes it. Never rejects. */
  close(): Promise<void>
  /** The job is over: the file goes away. */
  remove(): Promise<void>
}

export interface Journals {
  /** Where they are; made when the first one is. */
  folder: string
  /** The new journal is ours until it is closed. */
  create(job: { source: JobEnd; destination: JobEnd; options: JobOptions }): Promise<Journal>
  /**
   * Waits until nobody else begins a job between these places; resolves to what lets the next one. JOB_RUNNING where a living
   * process keeps it for too long, BAD_JOURNAL where there can be no such lock.
   */
  hold(ends: { source: { place: string }; destination: { place: string } }): Promise<() => Promise<void>>
  /** By an id, the unique beginning of one, or the path of a journal anywhere; ours until it is closed. */
  open(name: string): Promise<Journal>
  /** The unfinished jobs between two places, newest first. */
  find(ends: { source: { place: string }; destination: { place: string } }): Promise<JobState[]>
  /** All, newest first. */
  list(): Promise<ListedJob[]>
}
