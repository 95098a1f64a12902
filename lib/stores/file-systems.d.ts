/** Of the contract of stores: members that only stores of files and folders have. */

import type { Notice } from '../types/events'

export interface OfFileSystems {
  /**
   * Gives an object that was just written its modification time, in seconds as text; resolves to its ETag. Of an object, nothing but
   * the time depends on what describes its source. Absent: the store has no times.
   */
  setTime?(object: { key: string; etag: string; seconds: string }): Promise<string>
  /**
   * Makes a folder, for a key that ends in a slash: in other stores an empty object of such a name marks one. Absent: the store has
   * no folders.
   */
  makeFolder?(key: string): Promise<void>
  /**
   * Whether it has something under a key, or on the way to it, that its lists leave out, such as a link. A copy of it at the
   * destination must not be deleted as missing here. Absent: its lists leave out nothing.
   */
  leavesOut?(key: string): Promise<boolean>
  /**
   * Whether names are one that differ only in case, or only in their form of Unicode: it writes files, and removes them. Undefined:
   * it cannot find out. Absent: its objects tell.
   */
  folds?(): Promise<{ case: boolean; unicode: boolean } | undefined>
  /** What its lists have left out so far, for people. Absent: there is nothing to say. */
  notices?(): Notice[]
}
