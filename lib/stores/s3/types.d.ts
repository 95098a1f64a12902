/** The settings of S3 for one side. */

import type { StoreSettings } from '../contract'

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

/** What `copySource` returns: all that a request needs to name and to read the source. */
export interface S3CopySource {
  bucket: string
  key: string
  etag: string
  versionId?: string
  /** Its version number, where the dialect pins a source by it. */
  version?: string
  requestPayer?: boolean
  customerKey?: () => Record<string, string>
}

/** The settings of one side. */
export interface SideSettings extends StoreSettings {
  /** Without a trailing slash; undefined for AWS itself. */
  endpoint: string | undefined
  /** What sets it, for messages; null: nothing does. */
  endpointFrom?: string | null
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
  /** Headers of the customer key: see lib/stores/s3/settings/customer-key.js. A function, so that it is never printed. */
  customerKey?: () => Record<string, string>
}
