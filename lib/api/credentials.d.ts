/** Credentials that a program gives: `source.credentials`, `destination.credentials`. */

/** Access keys of a store. */
export interface StoreCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  /** Absent: they do not expire. */
  expiration?: Date
}

/**
 * Returns access keys, or a promise of them. It is called when the first request is signed, and again shortly before
 * its answer expires or when the store says that it has expired; never twice at a time.
 */
export type StoreCredentialsProvider = (how?: {
  /** Always true: a provider that keeps its answers asks anew. */
  forceRefresh?: boolean
}) => StoreCredentials | Promise<StoreCredentials>
