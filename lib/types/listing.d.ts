/** Listing what is below prefixes: see lib/listing/index.js. A name is what a key has behind the prefix. */

import type { ListedObject, Store } from '../stores/contract'

export interface ListedPlace {
  store: Pick<Store, 'list' | 'facts'>
  /** What all keys begin with, taken as it stands; may be empty. */
  prefix: string
}

/** Names above `after`, up to `until` and it as well; without a bound where there is none. The order is that of code points. */
export interface NameRange {
  id: number
  after?: string
  until?: string
}

/** What both sides have of one name; at least one of them has something. */
export interface Pair {
  name: string
  source?: ListedObject
  destination?: ListedObject
}

export interface PairsStep {
  type: 'pairs'
  /** An id. */
  range: number
  /** In order, and behind all that were told of the range. */
  pairs: Pair[]
  /** All names of the range up to this one have been told: what is left of it begins there. */
  through: string
}

/** From now on the range ends at `until`; another one has the rest. */
export interface SplitStep {
  type: 'split'
  range: number
  until: string
  into: NameRange
}

/** All names of the range have been told. */
export interface EndStep {
  type: 'end'
  range: number
  /** Of the sides whose lists end without showing that they do: what their answers leave out. Absent where both show it. */
  unproved?: Partial<Record<'source' | 'destination', string[]>>
}

/** An object that nobody can name: its key holds characters that the store cannot write in a list, and shows as U+FFFD. */
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
  /** Only names that begin with it. */
  within?: string
  /** Ranges at once, at most; 16 when absent. */
  lists?: number
  /** Those that are to be listed, as an earlier walk left them; all names when absent. Those without an id get one, in their order from 1. */
  ranges?: Array<{ id?: number; after?: string; until?: string }>
  signal?: AbortSignal
}
