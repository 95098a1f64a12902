/** Of the contract of stores: lists of objects and of containers, new containers, and signed URLs. */

import type { CallOptions } from './contract'
import type { ListedContainer, ListedObject } from './objects'

/**
 * One page of at most `most` objects in key order (UTF-8 bytes). The first page starts above `after`. `next` is the marker of
 * the next page, which is requested without `after`. lacks: elements, missing in the answer, that would show that the page is
 * complete; absent if none is missing.
 *
 * delimiter: one level alone is asked for. Keys with a delimiter behind the prefix are then no objects of the page: their
 * beginning, up to and including the delimiter, is in `prefixes`, once. A store that cannot do this lists all keys.
 */
export type ListObjects = (
  list: { prefix: string; marker?: string; after?: string; most?: number; delimiter?: string },
  options?: CallOptions,
) => Promise<{ objects: ListedObject[]; prefixes?: string[]; next?: string; lacks?: string[] }>

/** What the everyday commands ask, beside what copies need. */
export interface EverydayCalls {
  /**
   * One page of the containers of the account, for a place of `StoreFactory.parseAccount`. Absent: it has none, or cannot list
   * them.
   */
  containers?(
    list: { marker?: string },
    options?: CallOptions,
  ): Promise<{ containers: ListedContainer[]; next?: string }>
  /**
   * Creates the container of the place. region: default: that of the settings; throws USAGE if a container has none of its own.
   * Throws DESTINATION_EXISTS. A call that follows one without an answer does not. Absent: it cannot create one.
   */
  makeContainer?(make: { region?: string }, options?: CallOptions): Promise<void>
  /**
   * A URL with which anybody may read this one object, which is a secret. endsMs: when it ends, which may be sooner than was asked
   * for. Throws USAGE if the store does not allow so long a life, or the credentials cannot make one that is good for nothing else.
   * Absent: it has no such URLs.
   */
  presign?(object: { key: string; versionId?: string; lifeMs: number }): Promise<{ url: string; endsMs: number }>
}
