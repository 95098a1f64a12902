/** What becomes of one name below a prefix: lib/many/select/decide.js decides by the lists, lib/many/ by what else is known. */

/** Why. In a dry run the events tell it. */
export type Why =
  /** A copy takes everything. */
  | 'all'
  /** The destination has no such object. */
  | 'new'
  /** The source has no such object. */
  | 'extra'
  /** The sizes differ. */
  | 'size'
  /** The source was modified later, or in the same second. */
  | 'newer'
  /** A time is not known. */
  | 'time'
  /** The destination's is later. */
  | 'older'
  /** Existing objects are kept (`--no-clobber`, `--ignore-existing`). */
  | 'exists'
  /** What is newer at the destination is kept (`--update`). */
  | 'newer-there'
  /** Only the size is asked for, or there are no bytes. */
  | 'same-size'
  /** The ETags are the same MD5. */
  | 'same-etag'
  /** A list or a comparison tells the same checksum. */
  | 'same-content'
  /** A file names it twice, and its copy is under way. */
  | 'named-twice'
  /** A comparison found other checksums. */
  | 'content'
  /** The ETags decide nothing. */
  | 'etag'
  /** The times are too close to tell, or the destination's is in the future. */
  | 'near'
  /** Files have the times of their sources: it is the same. */
  | 'same-time'
  /** Files have the times of their sources: it is another. */
  | 'other-time'
  /** The filters exclude it. */
  | 'left out'
  /** It marks a folder, and the destination has other marks, or none. */
  | 'folder-mark'
  /** It is the mark of the prefix itself. */
  | 'folder'
  | 'copied by an earlier run'
  | 'what is there was not proved'

/** By the lists alone. */
export interface Decision {
  /** compare: the lists do not show whether both are equal; their checksums are asked for. */
  action: 'copy' | 'skip' | 'delete' | 'compare'
  why: Why
  /** The destination's object is newer than its source, and may be replaced. */
  newerThere?: true
}

export interface Verdict {
  action:
    | Decision['action']
    /** Deleted at the source since it was listed. */
    | 'gone'
    /** The comparison failed: see `cause`. */
    | 'fail'
    /** It was moved already. */
    | 'none'
  why: Why
  newerThere?: true
  /** The filters exclude it: it counts for nothing. */
  filtered?: true
  /** An earlier run has copied it. */
  earlier?: true
  /** The destination's object may be an unproved copy of an earlier run. */
  unsure?: true
  cause?: unknown
  /** Resolves to the object that the name is below, if there is one. */
  askAbove?: () => Promise<string | undefined>
}
