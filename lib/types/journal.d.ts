/** The journal of a job: see lib/journal/index.js and docs/design/journal.md. */

import type {
  CopyOptions,
  JobUsage,
  NameRange,
  PrefixOptions,
  Proof,
  RunnerUse,
  SealedFile,
  SideOptions,
  Sums,
} from '.'

/** One end of a job. */
export interface JobEnd {
  /** The location, without credentials. */
  text: string
  /** The location to show to users, as it was typed; absent: `text`. */
  typed?: string
  /** Equal for the same object, in whatever form the user wrote the location. */
  place: string
}

/** Options that select the objects of a prefix, and say how they are compared. */
type SelectName = Exclude<keyof PrefixOptions, keyof CopyOptions | 'recursive'>

/** The options that a job is resumed with. Options of a single run and secrets are not among them. */
export type JobOptions = Omit<
  CopyOptions,
  'restart' | 'dryRun' | 'timeout' | 'signal' | 'onEvent' | 'env' | 'source' | 'destination'
> & {
  source?: SideOptions
  destination?: SideOptions
  recursive?: 'copy' | 'sync'
  /** The sources are deleted, each after its proof. */
  move?: boolean
  /** The selection of a prefix. */
  select?: Partial<Pick<PrefixOptions, SelectName>> & {
    /** Of the file of `filesFrom`; absent if it was standard input, or if an older version wrote the journal. */
    namesDigest?: string
  }
}

export interface JobPart {
  partNumber: number
  bytes: number
  /** The ETag, as the destination sent it. */
  etag: string
  /** Of the bytes; empty if none was computed (`--verify none`). */
  sums: Sums
  /** The checksums that the store computed of it. Older versions do not write them. */
  answered?: Sums
  /** The store copied it by itself. */
  server?: true
}

/** The object of a completed upload, and why it has to be read back. */
export interface CompletedUpload {
  etag: string
  versionId?: string
  /** As of Written. */
  doubtful?: true
  /** As of Written. */
  contradiction?: string
}

/** The copy of a move, whose source is about to be deleted. */
export interface RemovingSource {
  etag: string
  versionId?: string
  proof: Proof[]
}

export interface JobUpload {
  id: string
  checksums: boolean
  plain?: true
  /** The store is known to check the checksums of parts. */
  checked?: true
  /** The store says that the upload is encrypted, so its ETags are no MD5s. */
  encrypted?: true
}

export interface LeftUpload {
  /** '' of a canary: its creation was asked for, and its id may not be known. */
  id: string
  /** It tried whether the store checks checksums, under a key of its own. */
  canary?: true
}

/** Facts about the copy of one object. */
export type ObjectFact =
  | { type: 'object'; bytes: number; etag: string; versionId?: string; lastModifiedMs?: number }
  | { type: 'plan'; route: 'put' | 'multipart'; partBytes: number; parts: number }
  /** Written before an upload is created: if the answer is lost, the upload may exist. */
  | { type: 'creating'; atMs: number }
  /** That upload does not exist, or was aborted. */
  | { type: 'cleared' }
  /** A new upload: the parts and the completion of the one before do not count any more. */
  | ({ type: 'upload' } & JobUpload)
  /** Counts only for the job's current upload. */
  | ({ type: 'part'; upload: string } & JobPart)
  | { type: 'completing'; upload: string; sums?: Sums }
  /** The upload was completed as this object, which is not proved yet. */
  | ({ type: 'completed'; upload: string } & CompletedUpload)
  /** The range of this part was read back from that object, and is what was sent. */
  | { type: 'checked'; upload: string; partNumber: number }
  /** The copy of a move is proved, and its source is about to be deleted. */
  | ({ type: 'removing' } & RemovingSource)
  /** The upload does not exist any more, and its parts do not count. */
  | { type: 'gone'; upload: string }
  /** An earlier upload, which may still exist. */
  | { type: 'left'; upload: string; canary?: true }

/** Facts about a job over a prefix. Names are keys without the prefix. */
export type PrefixFact =
  /** A fact about a large object in progress. */
  | { type: 'of'; name: string; fact: ObjectFact }
  /** That object is done, or this job will not copy it. copy: of a large one that was copied. */
  | { type: 'over'; name: string; copy?: KnownCopy }
  /** Another command has written below the same prefixes with less proof. */
  | { type: 'beside' }
  /** unsure: the object at the destination may be from that attempt, and is not proved. */
  | { type: 'failed'; name: string; unsure?: true }
  /**
   * The ranges of names that are left; all others are done. All ranges are in one line, so that none can be lost alone. doneRanges:
   * those that an earlier run had done, and that this one has not looked at again; keptMs: when all others were done.
   * copied: so far, by all runs of the job. agesFromMs: from when ages count.
   */
  | {
      type: 'ranges'
      ranges: NameRange[]
      doneRanges?: DoneRange[]
      keptMs?: number
      agesFromMs?: number
      copied?: { objects: number; bytes: number; deleted?: number }
    }

/** Names of which all were done by then, epoch milliseconds. */
export interface DoneRange {
  after?: string
  until?: string
  doneMs: number
}

/** The ETags of a source and of its copy. */
export interface KnownCopy {
  from: string
  etag: string
}

/** A fact of a job. */
export type JournalFact =
  | { type: 'job'; version: number; id: string; source: JobEnd; destination: JobEnd; options: JobOptions }
  | ObjectFact
  | PrefixFact
  /** Why a run is about to end. What it has under way may still be written after this. */
  | { type: 'ending'; code: string; message: string; atMs?: number }
  /** It is for whoever runs `xfer work`, until it has ended. */
  | { type: 'waiting' }
  /** The function that runs it, and what its runs have used. */
  | ({ type: 'runner' } & RunnerUse)
  /** Ranges of names, each of which is a job of its own: `ID.1` and so on. A `ranges` fact joins them. */
  | { type: 'split'; ranges: Array<Pick<NameRange, 'after' | 'until'>> }
  /** Of a range: its manifest; of the job that was split: those of its ranges. */
  | { type: 'sealed'; files: SealedFile[] }
  /** The names that this job is about. */
  | { type: 'within'; range: Pick<NameRange, 'after' | 'until'> }
  /** What proves its copies: those of its last run. */
  | { type: 'proved'; proof: Proof[] }
  /** What its runs have told: only in a store. */
  | ({ type: 'told' } & ToldByJob)
  /** The job is over: only in a store, which keeps that for a while. */
  | { type: 'finished'; code?: string; message?: string }
  /** How a run ended without finishing the job. */
  | { type: 'ended'; code: string; message: string; atMs?: number }

/** What a job has told while it ran; lib/notices/index.js. */
export interface ToldByJob {
  notices: Array<{ code: string; message: string }>
  failures: Array<{ name: string; code: string; message: string }>
}

/** What a run leaves when it ends. */
export interface RunEnd {
  usage?: JobUsage
  told?: ToldByJob
}

/** A run claims the journal; see lib/journal/lock.js. */
export interface Claim {
  /** A nonce. */
  owner: string
  pid: number
  host: string
  /** Distinguishes this process from another one with the same id; undefined if the system does not say. */
  processStart?: string
  /** The dead owner that it takes over from. */
  takes?: string
}

export type LockFact =
  | ({ type: 'claim' } & Claim)
  | { type: 'release' | 'heartbeat'; owner: string }
  | { type: 'base'; first: number; of: number }

/** A line of a journal. */
export type JournalEntry = {
  /** Sequence number: the newest fact is the one with the greatest. */
  n: number
  /** When it was written, by the writer's clock. */
  at: number
} & (JournalFact | LockFact)

/** What is known of the copy of one object. */
export interface ObjectState {
  object?: { bytes: number; etag: string; versionId?: string; lastModifiedMs?: number }
  plan?: { route: 'put' | 'multipart'; partBytes: number; parts: number }
  /** An upload was requested, and its outcome is not in the journal. */
  creatingMs?: number
  upload?: JobUpload
  /** Earlier uploads that may still exist. */
  left: LeftUpload[]
  /** The parts of the upload, by number. */
  parts: Map<number, JobPart>
  completing?: { sums?: Sums }
  completed?: CompletedUpload
  /** Of a move. */
  removing?: RemovingSource
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
  /** For a job over a prefix. */
  prefix?: {
    /** The ranges that are left; absent: not known. */
    ranges?: NameRange[]
    copied?: { objects: number; bytes: number; deleted?: number }
    doneRanges?: DoneRange[]
    keptMs?: number
    /** The last large objects that were copied, by name. */
    copies: Map<string, KnownCopy>
    /** From when the ages of objects count; absent: from the beginning of the job. */
    agesFromMs?: number
    /** Large objects in progress, by name. */
    objects: Map<string, ObjectState>
    /** Names that failed: that their range was done tells nothing of them. */
    failed: Set<string>
    /** Those of them whose object at the destination may be a wrong copy of this job. */
    unsure: Set<string>
    /** Another command has written with less proof: the time of an object does not show that this job has copied it. */
    beside?: true
  }
  /** How the last run ended; absent when something was written after it. */
  ended?: { code: string; message: string; atMs: number }
  /** Why its last run was about to end. */
  ending?: { code: string; message: string; atMs: number }
  /** Whoever runs `xfer work` may go on with it. */
  waiting?: true
  /** A function of this engine goes on with it, and is started again where it does not. */
  runner?: RunnerUse
  /** Its ranges are jobs of their own, and not joined yet. */
  split?: Array<Pick<NameRange, 'after' | 'until'>>
  /** The manifests of its ranges, or that of one. */
  sealed?: SealedFile[]
  /** It is one of those. */
  within?: Pick<NameRange, 'after' | 'until'>
  proof?: Proof[]
  told?: ToldByJob
  /** Since when it is over: only in a store. code, message: it ended with this error. */
  over?: { atMs: number; code?: string; message?: string }
  /** Lines that could not be read. */
  damaged: number
}

/** A journal that cannot be read. */
export interface DamagedJob {
  id: string
  path: string
  /** One sentence. */
  problem: string
  /** Ids of the uploads in its lines; undefined if those cannot be read either. */
  uploads?: string[]
}

export type ListedJob =
  | (JobState & {
      running: boolean
      owner?: Claim & { seenMs: number }
      problem?: undefined
      /** For how long it has not been written, by the clock of the store that has it. */
      silentMs?: number
      /** Of a job that is split, in order; undefined: it is not there yet. */
      ranges?: Array<ListedJob | undefined>
    })
  | DamagedJob

/** A journal that this process owns. */
export type Journal = ReturnType<typeof import('../journal/journal').createJournal>

export type Journals = ReturnType<typeof import('../journal').openJournals>

/** A prefix of a store, as a place for journals. */
export interface Bucket {
  /** The location of the prefix, for people. */
  text: string
  /** Names below the prefix that begin so, in order; modifiedMs: by the store's clock. */
  list(beginning: string): Promise<Array<{ name: string; modifiedMs?: number }>>
  /** Undefined: it is not there. */
  get(name: string): Promise<Buffer | undefined>
  /** Writes it if it is not there; false: it is. */
  putNew(name: string, bytes: Buffer): Promise<boolean>
  /** Rejects if the store refuses to remove one of them. */
  remove(names: string[]): Promise<void>
  /** The store's clock. */
  now(): number
}

/** Where a job's lines are: a file, or numbered segments in a store. What is appended is on the disk, or in the store. */
export interface JournalLog {
  /** For people. */
  path: string
  /** How often its owner writes a sign of life. */
  heartbeatMs: number
  /** How long a line that nobody waits for may wait for others. */
  groupMs: number
  /** Whether somebody has asked the job to stop, which is forgotten then. Absent: nobody can, but by a signal. */
  asked?(): Promise<boolean>
  /** Whether an append shows that nobody else has taken the job over. */
  fences?: true
  read(): Promise<import('../journal/facts').Decoded>
  /** Whole lines. Rejects with JOB_TAKEN if another process has written in between. */
  append(text: string): Promise<void>
  /** Whether it is large enough to be replaced. */
  isGrown(): boolean
  /** All that was written so far by these lines. Resolves to false if that was not possible: it goes on as it was. */
  replace(text: string): Promise<boolean>
  /** The job is over. rest: the lines that are left, of which a store keeps some for people. */
  remove(rest: () => string): Promise<void>
  close(): Promise<void>
}

export interface LogOfJob {
  log: JournalLog
  /** As it was just read. */
  read: import('../journal/facts').Decoded
  /** The user named its path. */
  outside?: boolean
  /** Another user may have written it. */
  brought?: boolean
}

/** Where journals are: a folder, or a prefix in a store. */
export interface JournalPlace {
  /** For people. */
  text: string
  /** For people. */
  pathOf(id: string): string
  /** Several machines may run its jobs, and one can be fenced off. */
  fences?: true
  /** The store that it is in. */
  bucket?: Bucket
  /** Whether the user named a path, and no id. */
  isPath(name: string): boolean
  /** Of all jobs, newest first; in a store also of those that are over. */
  ids(): Promise<string[]>
  /** Of jobs between two places, and perhaps of others, newest first. */
  idsBetween(ends: Record<'source' | 'destination', { place: string }>): Promise<string[]>
  /** beginning: its first lines suffice. Rejects with NO_SUCH_JOB. */
  read(id: string, how?: { beginning?: boolean }): Promise<import('../journal/facts').Decoded>
  /** Keeps it open, so that it can be read when it was removed. Absent: those of jobs that are over stay. */
  keep?(id: string): Promise<{ read(): Promise<import('../journal/facts').Decoded>; close(): Promise<void> }>
  /** The id of the next job between these places. Resolves to undefined if another process has just reserved one. */
  reserve(ends: Record<'source' | 'destination', { place: string }>, id: string): Promise<string | undefined>
  /** Resolves to undefined if another process has just written it. */
  create(id: string, lines: string, compactBytes?: number): Promise<JournalLog | undefined>
  open(name: string, how: { compactBytes?: number; isPath: boolean }): Promise<LogOfJob>
  /** Asks whoever has the job to stop. Absent: a signal does. */
  ask?(id: string): Promise<void>
  /** Removes all that is there of a job that is over, and of its ranges. Absent: nothing is. */
  forget?(id: string, ends: Record<'source' | 'destination', { place: string }>): Promise<void>
  /** Keeps others from beginning a job between these places. */
  hold(
    ends: Record<'source' | 'destination', { place: string }>,
    how: { now: () => number },
  ): Promise<() => Promise<void>>
}
