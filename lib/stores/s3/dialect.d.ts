/**
 * What differs between stores that speak S3's API. The S3 store builds its requests, and reads answers, in Amazon's words. A
 * dialect translates both where they are signed and where they arrive, and says as data what its store does differently. The S3
 * store itself never asks which store it speaks to.
 */

import type { SignatureNames } from '../../aws/sigv4'
import type { AnswerRule } from '../../types/data'
import type { CodeTable } from '../common/errors'
import type { NameRule } from '../common/names'
import type { Abilities, MtimeConvention, ObjectAttributes, ObjectHead, Store, Sums, WriteCondition } from '../contract'

/** A request before it is signed; names of headers in lower case, the query not encoded. */
export interface Words {
  method: string
  query: Record<string, string>
  headers: Record<string, string>
}

export type Headers = Record<string, string>

export interface Dialect {
  /** That of its profile; absent: Amazon's. */
  name?: 'google'
  /** For messages. */
  protocol: string
  /** The rules of its buckets' names; absent: Amazon's. */
  names?: NameRule[]
  signature: SignatureNames
  /** The region to sign for; absent: that of the settings. */
  region?: string
  /** Translates a request. */
  translate(words: Words): Words
  /** Translates the headers of an answer. */
  read(headers: Headers): Headers
  /** Headers of each read of an object, which are not signed. */
  readHeaders: Headers
  /** Names of headers that are never signed, because they may be changed on their way. Absent: all are signed. */
  unsigned?: ReadonlySet<string>
  /** How to read the answers to data requests. */
  rules: { read: AnswerRule; write: AnswerRule }
  /** Checksums of the whole object, or of the bytes of a write, from the headers of an answer; absent: as Amazon's. */
  sums?(headers: Headers): Sums
  /** The content headers that it keeps; absent: all. */
  contentHeaders?: readonly string[]
  /** Makes the store's `trial`. */
  createTrial?: typeof import('./google/trial').createTrial
  /** Absent: as rclone and s3cmd on S3. */
  mtime?: MtimeConvention
  /** Over those of a store that speaks S3. */
  abilities?: Partial<Abilities>
  /**
   * Headers of a write for its condition. head: the object that is there, for a store whose conditions do not name ETags.
   *
   * @throws XferError DESTINATION_EXISTS if the condition fails already
   */
  conditions(condition: WriteCondition, head: () => Promise<ObjectHead | undefined>): Promise<Headers>
  /** Whether a read or a copy names the object by a version number that a HEAD told, in place of the ETag. */
  pinsVersions: boolean
  /** What it does not have. */
  lacks: ReadonlySet<'partSize' | 'partCopies' | 'archives' | 'completionConditions' | 'lending'>
  /** Its answer to `heeds`; absent: that of its server's profile. */
  heeds?: NonNullable<Store['heeds']>
  /** Whether its copies heed conditions; absent: only Amazon's do. */
  conditionalCopies?: true
  /**
   * Refuses attributes that its store would ignore.
   *
   * @returns the reason, as the end of a sentence; undefined if there are none
   */
  refuses?(attributes: ObjectAttributes): string | undefined
  /** The permissions that an operation needs, as facts of an error. */
  permissions: typeof import('./dialects').permissionsOf
  /** Error codes of its own. */
  errors?: CodeTable
}
