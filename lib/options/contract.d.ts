/** One row of the table of options. The options of a store and of an engine have the same shape. */

import type { SideName } from '../types'

export type { SideName }

export type Command = typeof import('./table/commands').ALL[number] | 'serve' | 'report'

/** The kinds of values. read.js parses each kind; `list`: texts, of a flag that may be given several times. */
export type Kind =
  | ('switch' | 'text' | 'file' | 'choice' | 'count' | 'share' | 'size' | 'rate' | 'duration' | 'date' | 'hosts')
  | ('filter' | 'pairs' | 'list')
  /** Of the library alone. */
  | ('object' | 'function' | 'signal')

export type Range = readonly [least?: number, most?: number]

/** The group of the option in the help. */
export type OptionGroup = keyof typeof import('./table/commands').HEADINGS

/** What an option takes. */
export interface Takes {
  kind: Kind
  /** As the help prints it: `<size>`; `[port]` may be left out (cli/main.js). It tells the usual kinds: table/index.js. */
  as?: string
  /** The choices of a `choice`. */
  choices?: readonly string[]
  /** Words that the option also takes, as they are. */
  words?: readonly string[]
  /** The bounds of a `count`, a `size` (bytes) or a `duration` (milliseconds), both included. */
  range?: Range
  /**
   * Of a `size` or a `rate`: a number without a unit beyond this many bytes is a mistake, most likely meant as bytes; of a
   * `duration` one beyond this many milliseconds, meant as milliseconds.
   */
  mostBare?: number
  /** Of a `size`: whole MiB only. */
  whole?: true
  /** Of a `duration`: the unit of a number without one; if absent, such a number is refused. Sizes and rates have MiB. */
  unit?: 's'
  /** The value's TypeScript type, if the kind does not determine it. */
  type?: string
  /** The type for commands in which it is another one, or for one function of such a command. */
  typeFor?: Partial<Record<Command | 'verifyPrefix', string>>
}

/** A default; each is absent where another one says it. */
export interface Default {
  /** As a text of the command line. */
  value?: string
  /** As the help prints it, with its unit; also where the default is determined elsewhere. */
  text?: string
  /** In the library, as TypeScript writes it. */
  library?: string
}

/** How the journal keeps an option, so that a resumed job uses it. */
export interface Kept {
  /** Not from another machine's journal: it names a file or a host of that machine, or deletes objects. */
  own?: true
  /** Of a prefix: it selects the objects or says how they are proved. A command with another value is another job. */
  identifies?: true
  /** A resumed job that is given one of these options of the side does without the kept value. */
  replacedBy?: readonly string[]
  /** An upload keeps it from its creation: a job with another value at the destination cannot use that upload. */
  fixed?: true
  /** Kept only if the job names this engine, or none. */
  engine?: string
}

/** The help's text by command, where the option means something else there. */
type ByCommand = Partial<Record<Command, string>>

export interface OptionSpec {
  /** The name in the library, in camel case; an option of a side stands within `source` and `destination`. */
  name: string
  /** On the command line: the long flag, if `name` does not say it; and letters, the first as the help prints it. */
  flag?: string
  short?: readonly string[]
  /** What alone has the option: the command line, the library, or, of what is kept, the journal. */
  only?: 'cli' | 'library' | 'journal'
  takes: Takes
  default: Default
  /** The help's text, without a full stop; `{side}` becomes the side's name. */
  help: string
  /** The text elsewhere; `library`: where flags, places or the terminal make the command line's another one. */
  helpFor?: ByCommand & { library?: string | (ByCommand & { usual: string }) }
  group: OptionGroup
  /** The commands that have the option. An option of a side may leave it out: all commands that use that side. */
  commands?: readonly Command[]
  /** The sides that the option exists for: `--source-region`, `--dest-region`. */
  sides?: readonly SideName[]
  /** `object`: only for the copy of one object; `prefix`: only for copies of prefixes; `stream`: only from or to a stream. */
  scope?: 'object' | 'prefix' | 'stream'
  /** The command line refuses the option together with any of these. */
  conflicts?: readonly string[]
  kept?: Kept
}

/** A row as it is written, in short: what it takes by the placeholder, a default by its value. */
export type OptionRow = Omit<OptionSpec, 'takes' | 'default' | 'kept'> & {
  takes?: string | Partial<Takes>
  default?: string | Default
  kept?: true | 'own' | Kept
}

/** OptionRows by their flags, as the help prints them (by name, if the command line has them not): a text, or with the rest. */
export type OptionRows = Record<
  string,
  string | [help: string, others: Partial<OptionRow>] | (Partial<OptionRow> & { help: string })
>
