/** Options as the inner rooms pass them on: of either side, of any copy. */

import type {
  CopyOptions,
  DestinationOptions,
  PrefixOptions,
  ResumeOptions,
  SourceOptions,
  UploadOptions,
} from '../api/options'

/**
 * The options of either side; `sseC`: the job began with a customer key, `ownCredentials`: with credentials of its program. Both
 * must be given again. `endpointKept`: the endpoint is that of the journal.
 */
export type SideOptions = SourceOptions &
  DestinationOptions & {
    sseC?: boolean
    ownCredentials?: boolean
    endpointKept?: boolean
    /** How buckets are addressed, as the profile says: only a journal has it. */
    addressing?: string
    headerNames?: string
    queryDigest?: string
  }

type Wish<T> = Omit<T, 'onEvent' | 'source' | 'destination'>

/** The options of a copy of one object or of a prefix, given now or kept by a journal. */
export type JobWish = Wish<CopyOptions> &
  Wish<PrefixOptions> &
  Wish<ResumeOptions> &
  Wish<UploadOptions> & { source?: SideOptions; destination?: SideOptions; namesDigest?: string; move?: boolean }
