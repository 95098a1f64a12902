/** Listing what is below prefixes: see lib/listing/index.js. A name is a key without the prefix. */

import type { CallOptions, ListedObject, Store } from '../stores/contract'

export interface ListedPlace {
  store: Pick<Store, 'list' | 'facts'> & Partial<Pick<Store, 'can'>>
  /** The prefix of all keys, taken literally; may be empty. */
  key: string
}

/** Names after `after`, up to and including `until`; a bound that is absent does not apply. In the order of code points. */
export interface NameRange {
  id: number
  after?: string
  until?: string
}

/** The objects of both sides with one name; at least one side has one. */
export interface Pair {
  name: string
  source?: ListedObject
  destination?: ListedObject
}

export interface PairsStep {
  type: 'pairs'
  /** An id. */
  range: number
  /** In order, and after all earlier ones of the range. */
  pairs: Pair[]
  /** All names of the range up to this one have been reported: the rest begins there. */
  through: string
}

/** The range now ends at `until`; another range has the rest. */
export interface SplitStep {
  type: 'split'
  range: number
  until: string
  into: NameRange
}

/** All names of the range have been reported. */
export interface EndStep {
  type: 'end'
  range: number
  /** For the sides whose lists do not prove that they are complete: what their answers leave out. Absent if both prove it. */
  unproved?: Partial<Record<'source' | 'destination', string[]>>
}

/** An object whose key is not known: the store's list replaces characters of the key by U+FFFD. */
export interface OddStep {
  type: 'odd'
  side: 'source' | 'destination'
  name: string
  object: ListedObject
}

export type WalkStep = PairsStep | SplitStep | EndStep | OddStep

export interface WalkOptions {
  source: ListedPlace
  destination?: ListedPlace
  /** The maximum number of ranges at once; 16 if absent. */
  lists?: number
  /** Whether nothing below a folder, named with its slash, is wanted: a store of files does not open it. */
  skips?: (folder: string) => boolean
  /** The ranges to list, as an earlier walk left them; all names if absent. Ranges without an id get one, from 1 in their order. */
  ranges?: Array<{ id?: number; after?: string; until?: string }>
  signal?: AbortSignal
}

/**
 * One page of at most `most` objects in key order (UTF-8 bytes). The first page starts above `after`. `next` is the marker of
 * the next page, which is requested without `after`. lacks: elements, missing in the answer, that would show that the page is
 * complete; absent if none is missing.
 *
 * skips: folders below which no object is wanted; only stores of files heed it.
 *
 * delimiter: one level alone is asked for. Keys with a delimiter behind the prefix are then no objects of the page: their
 * beginning, up to and including the delimiter, is in `prefixes`, once. A store that cannot do this lists all keys.
 */
export type ListObjects = (
  list: {
    prefix: string
    marker?: string
    after?: string
    most?: number
    delimiter?: string
    skips?: (key: string) => boolean
  },
  options?: CallOptions,
) => Promise<{ objects: ListedObject[]; prefixes?: string[]; next?: string; lacks?: string[] }>
