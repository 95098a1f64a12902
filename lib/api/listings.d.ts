/** What the functions tell of objects and prefixes that they copy nothing of. */

/** What every entry of a list has. */
export interface EntryBase {
  /** Its location, as the list's was typed. */
  location: string
  /** The whole key, or the beginning of keys. */
  key: string
  /** The key behind the last slash of the location. */
  name: string
}

/** An object of a list. */
export interface ObjectEntry extends EntryBase {
  type: 'object'
  bytes: number
  /** As the store tells it, with quotes; empty if its lists tell none. */
  etag: string
  lastModifiedMs?: number
  /** Absent for the store's default class. */
  storageClass?: string
}

/** The beginning of keys at one level, which ends in a slash: what a folder is in a file system. */
export interface PrefixEntry extends EntryBase {
  type: 'prefix'
}

/** What `list` yields. */
export type ListEntry = ObjectEntry | PrefixEntry
