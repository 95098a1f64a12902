/** Settings. */

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

export interface SideSettings {
  side: 'source' | 'destination'
  /** Without a closing slash; undefined for AWS itself. */
  endpoint: string | undefined
  region: string
  addressing: 'auto' | 'path' | 'virtual'
  /** null: requests are not signed. */
  credentials: CredentialsProvider | null
  requestPayer: boolean
  /** Certificates to trust beside the usual ones, PEM. */
  ca?: string
  /** How long the store may be silent; 30 000 when absent. */
  silenceMs?: number
  /** How long an answer to a control call may take in all once it has begun; five minutes when absent. */
  answerMs?: number
  /** The version of the object that is meant. */
  versionId?: string
  /** A customer's own key: see lib/stores/s3/settings/customer-key.js. A function, so that whatever prints its holder prints no key. */
  customerKey?: () => Record<string, string>
}
