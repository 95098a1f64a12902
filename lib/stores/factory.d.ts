/** Of the contract of stores: what can be done before any request, and the words of a store. */

import type { ErrorRow } from '../errors'
import type { Check } from '../engines/contract'
import type { OptionRow } from '../options/contract'
import type { AttributeOptions } from '../api/options'
import type { AttributeWish, SideOptions, XferError } from '../types'
import type { Store } from './contract'

/** An entry of the registry: a kind of store, and what can be done before any request. */
export interface StoreFactory<Settings extends StoreSettings = StoreSettings> {
  /** In lower case: the text before `://`. */
  schemes: string[]
  /** Texts that are no address are its places: paths. At most one store has it. */
  paths?: true
  /** Nothing can be written there: `parse` refuses such a destination. */
  sourceOnly?: true
  /** Each of its places is one object, and nothing is below it: its stores have no lists. */
  single?: true
  /** Its objects end by themselves after a time that `ObjectAttributes.ttlMs` sets. */
  lapses?: true
  /** An example of a place, for messages. */
  example: string
  /** The forms of a place, as the end of a sentence. */
  forms: string
  /** Where its settings come from, for the help: its scheme, and what sets them. */
  configured: string
  /** Options of each side, and of the objects written. */
  options: OptionRow[]
  /** Names that may stand before the `@` of its places. Absent: none. */
  profiles?(env: NodeJS.ProcessEnv): Promise<string[]>
  /** Whether a profile with this endpoint is for its places, and not for those of the first store that has profiles. */
  ownsEndpoint?(endpoint: string): boolean
  /** Rows of its own for the table of errors; absent: none. They are added with `withRows` of lib/errors. */
  errors?: Record<string, ErrorRow>
  /** Its words, for the sentences of errors of any store. */
  terms?(side: 'source' | 'destination'): StoreTerms
  /** What it knows of its places; loaded when it is asked for. */
  place(): Places<Settings>
  /**
   * Reads the settings from options, environment and files. Sends no request.
   *
   * @throws XferError of exit status 2 or 4
   */
  settings(
    place: Place,
    side: 'source' | 'destination',
    options: SideOptions,
    env: NodeJS.ProcessEnv,
  ): Promise<Settings>
  /**
   * Reads what only this store's objects have of the attributes that options set; `read` returns the value of an option, checked
   * as its row says. Every store reads its own options, whichever the destination is.
   *
   * @throws XferError USAGE
   */
  readAttributes?(options: AttributeOptions, read: (name: any) => any): Partial<AttributeWish>
  /** The kinds of encryption that its options choose (`ObjectAttributes.encryption`); absent: none. */
  encryptions?: readonly string[]
  /** Throws USAGE if the attributes do not fit the settings of a destination. */
  checkAttributes?(settings: Settings, attributes: { encryption?: unknown }): void
  /**
   * For `xfer doctor`: the checks of a place that only this machine's threads reach, instead of those of credentials and of reading or
   * writing. They leave nothing behind.
   */
  checks?(place: Place, how: { side: 'source' | 'destination'; options: SideOptions; env: NodeJS.ProcessEnv }): Check[]
  /** Dialects that it has of another store's protocol, by their names in servers.js. */
  dialects?: Record<string, () => object>
  /**
   * location: the place as a text, for the facts. now: this machine's clock, epoch milliseconds. dialects: of all stores, for one whose
   * protocol other servers speak too.
   */
  open(
    place: Place,
    settings: Settings,
    how: { location: string; now?: () => number; dialects?: Record<string, () => object> },
  ): OwnStore
}

/** What defaults.js has for a store that leaves it out. */
type Defaults =
  | 'authenticate'
  | 'close'
  | 'describingHeaders'
  | 'explain'
  | 'limits'
  | 'origin'
  | 'pin'
  | 'ping'
  | 'put'
  | 'readDescription'
  | 'readWritten'
  | 'remove'
  | 'removeAll'
  | 'upload'

/** A store as its factory opens it. `put` and `remove` may be absent for a source only, `upload` and `limits` if every object is one request. */
export type OwnStore = Omit<Store, Defaults> & Partial<Pick<Store, Defaults>>

/** The error BAD_LOCATION. location: the text without its secrets; absent: all of it is shown. forms: how to write the place instead, as a list; absent: as the store's places are written */
export type RefusePlace = (reason: string, location?: string, more?: { forms?: string }) => XferError

export interface Places<Settings = any> {
  /**
   * Parses the text that the user typed, including its scheme. The caller checks whether a key is missing or invalid.
   *
   * @throws what `refuse` makes
   */
  parse(text: string, how: { side: 'source' | 'destination'; refuse: RefusePlace }): Place
  /**
   * Parses a text that names no container, but whose containers are to be listed: `s3://`. Its container is ''. Undefined: it is
   * no such text. Absent: there are none.
   */
  parseAccount?(text: string): Place | undefined
  /** The place with a slash at its end, if a folder has that name now. Absent: a key is what it is. */
  asFolder?(place: Place): Place
  /** The key without links on its way. Absent: there are none. */
  real?(key: string): string
  /** The place as people write it. Absent: scheme, container and key. `parse` reads it. */
  text?(place: Pick<Place, 'key'>): string
  /** The reason why a key is invalid, to follow "the key"; undefined if it is valid. Absent: every key is. */
  keyFault?(key: string): string | undefined
  /** Texts that tell whether two places are in the same store. */
  identify(place: Place, settings: Settings): Identity
}

/** Words of a store for what every store has. A neutral word stands in for an absent one. */
export interface StoreTerms {
  /** What to do when access is denied, instead of the permissions that are needed; for example if requests are not signed. */
  accessAdvice?: string
  /** What it calls a container: `bucket`. */
  container?: string
  /** What it calls a part of an upload: `block`. */
  part?: string
  /** What sets the endpoint, such as an option. */
  endpoint?: string
  /** The endpoint, with what sets it now: `the endpoint (set by --source-endpoint-url)`. */
  endpointInUse?: string
  /** All that tells where the store is: `--source-endpoint-url, the region`. */
  address?: string
  /** What credentials consist of: `the access key, the secret key`. */
  credentials?: string
  /** What to do without credentials, a sentence. */
  credentialsAdvice?: string
  /** The options that choose the encryption of its objects: `--sse and --sse-kms-key-id`. */
  encryption?: string
  /** Its default storage class. */
  storageClass?: string
  /** Its storage classes, if it has no others, as it writes them. */
  storageClasses?: string[]
  /** What to do to read an archived object, a sentence. */
  restoreAdvice?: string
  /** What to do if the settings lead to another store than before, a sentence. */
  settingsAdvice?: string
}

export interface Place {
  scheme: string
  /** What the container belongs to, if a place names it: it stands before the container. */
  account?: string
  /** The bucket or container. */
  container: string
  /** '' if none was given. */
  key: string
  /** The name of a copy whose destination ends in a slash. Absent: the last segment of the key. */
  name?: string
  /** The container as the user typed it, for messages, if there was more than its name, such as a profile. Contains no secret. */
  typed?: string
  /** Options of the side that are part of the place, such as a profile. */
  options?: SideOptions
}

/** Texts that are only compared for equality. */
export interface Identity {
  /** Equal hosts, containers and keys mean the same object. The journal keeps it. undefined is a value like others. */
  host: string | undefined
  /** Equal for two places on one server: they fail together, and share its rate limit. */
  server: string
  /** Equal for two places between which the store can copy by itself. Absent if the store does not copy by itself. */
  copies?: string
  /** Its stores lend URLs of objects (`Store.lend`), as far as the credentials allow. */
  lends?: true
  /** Its stores read parts from lent URLs by themselves (`Store.pull`). */
  pulls?: true
  /** The name of the store, for messages. */
  name: string
}

/** The settings of a store. A factory adds its own. */
export interface StoreSettings {
  /** The file of the user's own rows, if what it says of this server is no row, and so is left out. */
  ownLeftOut?: string
  side: 'source' | 'destination'
  /** Whether the command has one location only, so that messages call the store neither source nor destination. */
  alone?: boolean
  /** Certificates to trust in addition to the usual ones, PEM. */
  ca?: string
  /** The proxy of a URL; '' for none. Every request of the store has to use it. Absent: none. */
  proxy?: (url: string | URL) => string
  /** Whether the proxy was given for this side, in place of the environment's. */
  ownProxy?: boolean
  /** How long the store may be silent; 30 000 when absent. */
  silenceMs?: number
  /** The version of the object to use. */
  versionId?: string
  /** Options of the side that the journal keeps, to find the same store again. Contains no secret. */
  keep: SideOptions
}
