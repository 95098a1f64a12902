/** What S3 is told of one side. */

import type { StoreSettings } from '../contract'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  expiration?: Date
}

export interface CredentialsProvider {
  (): Promise<Credentials>
  /** The store said that these have expired: whether there are others now. Absent where there never are. */
  renew?(refused: Credentials): Promise<boolean>
}

/** Of one side. */
export interface SideSettings extends StoreSettings {
  /** Without a closing slash; undefined for AWS itself. */
  endpoint: string | undefined
  region: string
  addressing: 'auto' | 'path' | 'virtual'
  /** null: requests are not signed. */
  credentials: CredentialsProvider | null
  requestPayer: boolean
  /** How long an answer to a control call may take in all once it has begun; five minutes when absent. */
  answerMs?: number
  /** A customer's own key: see lib/stores/s3/settings/customer-key.js. A function, so that whatever prints its holder prints no key. */
  customerKey?: () => Record<string, string>
}
