/** One row of the table of options. The options of a store and of an engine have the same shape. */

export type Command = 'copy' | 'sync' | 'resume' | 'verify' | 'jobs' | 'abort' | 'clean' | 'deploy' | 'doctor'

export type SideName = 'source' | 'destination'

/** What kind of value: read.js turns each into what the program works with. */
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
  | 'limits'
  | 'filter'
  | 'pairs'

/** The heading that the help prints it under: see table/groups.js. */
export type Group =
  | 'common'
  | 'places'
  | 'selection'
  | 'attributes'
  | 'integrity'
  | 'performance'
  | 'failures'
  | 'engine'
  | 'deployment'
  | 'output'

export interface OptionSpec {
  /** In the library, in camel case; of a side: within `source` and `destination`. */
  name: string
  /** On the command line; made of the name when absent. `false`: only the library has it. */
  flag?: string | false
  /** One letter, such as `-r`. */
  short?: string
  /** What stands for the value in the help, such as `size`; absent: a switch. */
  value?: string
  /** `switch` when absent without a `value`, and `text` when absent with one. */
  type?: ValueType
  /** Of a `choice`. */
  choices?: readonly string[]
  /** Of a `count` and a `size`, both included. */
  least?: number
  most?: number
  /** Words that are taken instead of a number, as they are. */
  words?: readonly string[]
  /** Taken when nothing is given, as text of the command line. */
  default?: string
  /** What the help says of the default, with its unit; also of an option whose default is found elsewhere. */
  defaultText?: string
  /** A hint leaves the option out where it has this value; the default when absent. */
  usual?: string
  /** No final stop; `{side}` is the side's name. */
  help: string
  /** Of commands where the option means something else. */
  helpOf?: Partial<Record<Command, string>>
  group: Group
  /** Of the command line; every command that speaks to its side, of an option of a side, when absent. */
  commands?: readonly Command[]
  /** It is given for each of these: `--source-region`, `--dest-region`. */
  sides?: readonly SideName[]
  /** `object`: of the copy of one object alone; `prefix`: of copies of prefixes alone. */
  scope?: 'object' | 'prefix'
  /** Only the command line has it, not the library. */
  cliOnly?: true
  /** The command line refuses it beside any of these. */
  conflicts?: readonly string[]
  /** The journal keeps it, and a resumed job goes on with it. */
  kept?: true
  /** It is kept only for a job of this engine, or of one that is not named. */
  engine?: string
  /** It says which objects of a prefix are copied: jobs that differ in it do not go on with each other. */
  chooses?: true
  /** A journal from elsewhere does not bring it: it names a file or a host of this machine's, or has objects deleted. */
  ownJournalOnly?: true
  /** The type of its value in TypeScript, where the value's kind does not say it. */
  shape?: string
  /** Of commands where it is another one. */
  shapeOf?: Partial<Record<Command, string>>
}
