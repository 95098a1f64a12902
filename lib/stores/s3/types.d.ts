/** The settings of S3 for one side, and what differs between stores that speak S3. */

import type { SignatureNames } from '../../aws/sigv4'
import type { AnswerRule } from '../../types/data'
import type { CodeTable } from '../common/client'
import type { NameRule } from '../common/objects'
import type {
  Abilities,
  MtimeConvention,
  ObjectAttributes,
  ObjectHead,
  RefusalFacts,
  Store,
  StoreSettings,
  Sums,
  WriteCondition,
} from '../contract'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  expiration?: Date
}

export interface CredentialsProvider {
  (): Promise<Credentials>
  /** Asks for new credentials after a store reported these as expired; rejects as the provider does. Absent if there are never new ones. */
  renew?(refused: Credentials): Promise<boolean>
  /** Ends the wait for an answer: nobody needs it any more. */
  close?(): void
}

/** The settings of one side. */
export interface SideSettings extends StoreSettings {
  /** Without a trailing slash; undefined for AWS itself. */
  endpoint: string | undefined
  /** What sets it, for messages; null: nothing does. */
  endpointFrom?: string | null
  /** What is known of its server besides the table of servers.js. */
  own?: import('../servers').ServerFacts | 'unknown'
  region: string
  addressing: 'auto' | 'path' | 'virtual'
  /** Use AWS's endpoints with FIPS 140 cryptography; not with an endpoint. */
  fips?: boolean
  /** Use AWS's endpoints with IPv6; not with an endpoint. */
  dualStack?: boolean
  /** null: requests are not signed. */
  credentials: CredentialsProvider | null
  requestPayer: boolean
  /** The project that pays, in a dialect that is told one. */
  userProject?: string
  /** How long an answer to a control call may take from its beginning to its end; default: five minutes. */
  answerMs?: number
  /** Headers of the customer key: see `readCustomerKey` of settings.js. A function, so that it is never printed. */
  customerKey?: () => Record<string, string>
}

/** A request before it is signed; names of headers in lower case, the query not encoded. */
export interface Words {
  method: string
  query: Record<string, string>
  headers: Record<string, string>
}

export type Headers = Record<string, string>

/** The version numbers of objects that HEADs told. */
export interface Versions {
  note(key: string, object: Pick<ObjectHead, 'etag' | 'versionId'>): void
  /** Headers that pin the object with this ETag; undefined: it is not known. */
  ofRead(key: string, etag: string): Headers | undefined
  /** The same for the source of a copy. */
  ofCopy(key: string, etag: string, versionId?: string): Headers | undefined
}

/**
 * What differs between stores that speak S3's API. The S3 store builds its requests, and reads answers, in Amazon's words. A
 * dialect translates both where they are signed and where they arrive, and says as data what its store does differently. The S3
 * store itself never asks which store it speaks to.
 */
export interface Dialect {
  /** That of its profile; absent: Amazon's. */
  name?: string
  /** For messages. */
  protocol: string
  /** The rules of its buckets' names; absent: Amazon's. */
  names?: NameRule[]
  signature: SignatureNames
  /** The region to sign for; absent: that of the settings. */
  region?: string
  /** Translates a request; absent: its words are Amazon's. */
  translate?(words: Words): Words
  /** Translates the headers of an answer; absent: they are Amazon's. */
  read?(headers: Headers): Headers
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
  /** Absent: as rclone and s3cmd on S3. */
  mtime?: MtimeConvention
  /** Over those of a store that speaks S3. */
  abilities?: Partial<Abilities>
  /**
   * Headers of a write for its condition. head: the object that is there, for a store whose conditions do not name ETags. Absent: those
   * of HTTP.
   *
   * @throws XferError DESTINATION_EXISTS if the condition fails already
   */
  conditions?(condition: WriteCondition, head: () => Promise<ObjectHead | undefined>): Promise<Headers>
  /** Whether a read or a copy names the object by a version number that a HEAD told, in place of the ETag; absent: it does not. */
  createVersions?(): Versions
  /** What it does not have. */
  lacks: ReadonlySet<'partSize' | 'partCopies' | 'archives' | 'completionConditions' | 'lending'>
  /** Its answer to `heeds`; absent: that of its server's row. */
  heeds?: NonNullable<Store['heeds']>
  /**
   * Refuses attributes that its store would ignore.
   *
   * @returns the reason, as the end of a sentence; undefined if there are none
   */
  refuses?(attributes: ObjectAttributes): string | undefined
  /** The permissions that an operation needs, as facts of an error. */
  permissions(asked: {
    side: string
    /** S3's name; default: GetObject at the source, PutObject at the destination. */
    operation?: string
    /** It has an `If-Match` header. */
    conditional?: boolean
    /** It names a version. */
    versioned?: boolean
  }): Required<Pick<RefusalFacts, 'permission' | 'needs' | 'needsForTags' | 'needsToClear'>>
  /** Error codes of its own. */
  errors?: CodeTable
}
