/** One row of the table of options. The options of a store and of an engine have the same shape. */

export type Command = typeof import('./table/commands').ALL[number] | 'serve' | 'report'

export type SideName = 'source' | 'destination'

/** The kinds of values. read.js parses each kind. */
export type ValueType =
  | 'switch'
  | 'text'
  | 'file'
  | 'choice'
  | 'count'
  | 'share'
  | 'size'
  | 'rate'
  | 'duration'
  | 'date'
  | 'hosts'
  | 'filter'
  | 'pairs'
  /** Texts: the flag may be given several times. */
  | 'list'
  /** Of the library alone. */
  | 'object'
  | 'function'
  | 'signal'

/** What an option takes, as a row says it: a kind of value, or a text by the name that the help gives it. */
export type Takes = ValueType | `<${string}>`

export type Range = readonly [least?: number, most?: number]

/** The group of the option in the help. */
export type Group = keyof typeof import('./table/commands').HEADINGS

export interface OptionSpec {
  /** The name in the library, in camel case; an option of a side stands within `source` and `destination`. */
  name: string
  /** The name on the command line; made from `name` if absent. */
  flag?: string
  /** What alone has the option: the command line, the library, or, of what is kept, the journal. */
  only?: 'cli' | 'library' | 'journal'
  /** One letter, such as `-r`; of a switch also others that mean the same, for what other tools call it: its text names them. */
  short?: string | readonly string[]
  /** The placeholder for the value in the help; if absent that of the `type`, or the option is a switch. */
  value?: string
  /** The value may be left out: see cli/main.js. */
  bare?: true
  /** If absent: `choice` if it has `choices`, `text` if it has a `value`, else `switch`. */
  type?: ValueType
  /** The choices of a `choice`. */
  choices?: readonly string[]
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
  /** Words that the option also takes, as they are. */
  words?: readonly string[]
  /** The default, as a text of the command line. */
  default?: string
  /** The default as the help prints it, with its unit; also for an option whose default is determined elsewhere. */
  defaultText?: string
  /** The help's text, without a full stop; `{side}` becomes the side's name. */
  help: string
  /** The text for commands in which the option means something else. */
  helpOf?: Partial<Record<Command, string>>
  /** The text for the library, where flags, places or the terminal make the command line's another one. */
  libraryHelp?: string
  /** The same for commands in which the option means something else. */
  libraryHelpOf?: Partial<Record<Command, string>>
  /** The default in the library as TypeScript writes it, where the command line has none, or only a text. */
  libraryDefault?: string
  group: Group
  /** The commands that have the option. An option of a side may leave it out: all commands that use that side. */
  commands?: readonly Command[]
  /** The sides that the option exists for: `--source-region`, `--dest-region`. */
  sides?: readonly SideName[]
  /** `object`: only for the copy of one object; `prefix`: only for copies of prefixes; `stream`: only from or to a stream. */
  scope?: 'object' | 'prefix' | 'stream'
  /** The command line refuses the option together with any of these. */
  conflicts?: readonly string[]
  /**
   * The journal keeps it, and a resumed job uses it. `own`: not from another machine's journal, because it names a file or a
   * host of that machine, or deletes objects.
   */
  kept?: true | 'own'
  /** A resumed job that is given one of these options of the side does without the kept value. */
  replacedBy?: readonly string[]
  /** An upload keeps it from its creation: a job with another value at the destination cannot use that upload. */
  fixed?: true
  /** The journal keeps it only if the job names this engine, or none. */
  engine?: string
  /** Of a prefix: it selects the objects or says how they are proved. A command with another value is another job. */
  identifies?: true
  /** The value's TypeScript type, if the kind does not determine it. */
  shape?: string
  /** The type for commands in which it is another one, or for one function of such a command. */
  shapeOf?: Partial<Record<Command | 'verifyPrefix', string>>
}
