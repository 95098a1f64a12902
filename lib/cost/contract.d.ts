/** What a store tells for what it costs. */

export interface Accounted {
  /** Control requests so far, by kind (`GET`, `LIST`, ...); absent: nobody counts them. */
  readonly requests?: Record<string, number>
  /** For a forecast: the requests of an upload beside its parts, by kind; and how many objects one request deletes. */
  readonly costs?: { upload: Record<string, number>; removes: number }
  /** Whose it is, by the name that lists of prices have; absent: nobody's that is known. */
  readonly provider?: string
}
