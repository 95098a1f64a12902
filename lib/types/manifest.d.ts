/** The manifest of a job: docs/guides/manifest.md. */

import type { ListedObject, ObjectHead, Sums, XferError } from '.'

/** The first line. */
export interface ManifestHead {
  type: 'manifest'
  version: 1
  /** Absent: the job has no journal. */
  job?: string
  /** What stands before each name, without what belongs to one machine. One of one object: its location. */
  source: string
  destination: string
  /** ISO 8601, as all times here. */
  began: string
  /** The name that it had before: what it says was written there by then. */
  continues?: string
  /** Of a job that was split: the manifests of its ranges, which lie beside this one. */
  ranges?: SealedFile[]
}

/** A manifest by its seal. */
export interface SealedFile {
  /** The last piece of its name. */
  file: string
  lines: number
  root: string
}

export interface ManifestLine {
  action: 'copy' | 'move' | 'skip' | 'delete' | 'failed'
  /** The key without the prefix; '' for the object of a job of one. */
  name: string
  /** Of the destination's object, as the next two. */
  bytes?: number
  etag?: string
  versionId?: string
  source?: { etag?: string; versionId?: string; lastModified?: string }
  sums?: Sums
  proof?: string[]
  time: string
  /** Why it was skipped, the code of its failure, or `earlier`: an earlier run of the job has copied it, and was killed. */
  why?: string
}

/** The last line. */
export interface ManifestSeal {
  type: 'seal'
  /** Those before it. */
  lines: number
  /** Merkle tree hash of these, in hex. */
  root: string
  /** `done`, or the code of the error that ended the job. */
  result: string
  time: string
  /** SHA-256 of the public key in DER, in hex. */
  key?: string
  /** Base64. */
  signature?: string
}

/** What of a copy its line tells. */
type CopiedObject = Pick<ManifestLine, 'bytes' | 'etag' | 'versionId' | 'sums' | 'proof'> & {
  read?: Partial<ObjectHead>
}

/** What another machine needs of a manifest to go on with it. */
export interface ManifestMirror {
  /** Writes what is there to these paths, in place of what they have; head: what the file begins with then. */
  restore(paths: Record<'file' | 'held', string>, head: string): Promise<void>
  /** A line of the file, or of FILE.held; again: a name in JSON, of which those of earlier runs count no more. */
  add(kind: 'file' | 'held' | 'again', line: string): void
  /** Resolves once all lines are there. */
  push(): Promise<void>
  /** The job is over. */
  remove(): Promise<void>
}

/** Writes the manifest of a job. Nothing here throws but `begin` and `end`: what cannot be written ends the job. */
export interface ManifestWriter {
  /**
   * Reads what earlier runs of the job have written.
   *
   * isOpen: whether this run deals with the name again; onTrouble: ends the job; absent: what cannot be written is thrown.
   * doneMsOf: by when the range of the name was done, by the destination's clock.
   */
  begin(
    isOpen: (name: string) => boolean,
    onTrouble?: (error: XferError) => void,
    doneMsOf?: (name: string) => number | undefined,
  ): Promise<void>
  /** What is about to be, or is done: called before a source or an object is deleted, and before the journal forgets a name. */
  intend(action: 'copy' | 'move' | 'delete', name: string, copied?: CopiedObject, source?: Partial<ListedObject>): void
  copied(action: 'copy' | 'move', name: string, copied: CopiedObject, source?: Partial<ObjectHead>): void
  /** The destination had it. */
  skipped(pair: { name: string; source?: ListedObject; destination?: Partial<ListedObject> }, why: string): void
  deleted(name: string): void
  failed(name: string, code: string): void
  /** Whether the file has every line. To be called before the journal forgets a name. */
  flush(): boolean
  /** Whether every line is on the disk. */
  sync(): Promise<boolean>
  /** Seals it with what came of the job, or leaves it to a later run. Resolves to the seal, if there is one. */
  end(result?: string): Promise<ManifestSeal | undefined>
}
