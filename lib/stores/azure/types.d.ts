/** The settings of Azure Blob Storage for one side. */

import type { Place, StoreSettings } from '../contract'

export interface AzurePlace extends Place {
  account: string
}

/** Secrets are behind functions, which are never printed, journaled or sent. */
export type AzureCredentials =
  | { kind: 'sharedKey'; key(): Buffer }
  | SasCredentials
  | {
      kind: 'token'
      /** The token of Microsoft Entra ID now; a new one shortly before it expires. */
      get(): Promise<{ token: string }>
      /** Asks for a new one after the store refused this one. Resolves to whether there is another one now. */
      renew(refused: string): Promise<boolean>
    }
  | { kind: 'anonymous' }

export interface SasCredentials {
  kind: 'sas'
  /** The query, without a question mark, percent-encoded as it was given. */
  token(): string
  /** Epoch milliseconds; absent if a stored access policy says it. */
  expiresMs?: number
  /** As in `sp`; absent if a stored access policy says it. */
  permissions?: string
}

/** The settings of one side. */
export interface AzureSettings extends StoreSettings {
  account: string
  /** Without a closing slash; in path style with the account: `http://127.0.0.1:10000/devstoreaccount1`. */
  endpoint: string
  /** What sets it, for messages; null: nothing does. */
  endpointFrom: string | null
  credentials: AzureCredentials
  /** What sets the credentials, for messages. */
  credentialsFrom: string
  /** A version, as Azure writes its time. */
  versionId?: string
}
