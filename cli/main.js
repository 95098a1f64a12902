'use strict'

const { Command, CommanderError, Help } = require('commander')
const { version } = require('../package.json')
const lib = require('../lib')
const { BARE, addOptions, behindCommand, shortenHelp } = require('./options')
const { helpOf } = require('./help-texts')
const { run, reportFailure, stackOf } = require('./run')

/** The commands, in the order of the help. A file is loaded when its command runs. @type {Record<string, () => import('./run').Definition>} */
const COMMANDS = {
  copy: () => require('./commands/copy').copy,
  sync: () => require('./commands/copy').sync,
  resume: () => require('./commands/unfinished').resume,
  cat: () => require('./commands/copy').cat,
  verify: () => require('./commands/copy').verify,
  ls: () => require('./commands/list').ls,
  du: () => require('./commands/list').du,
  head: () => require('./commands/place').head,
  presign: () => require('./commands/place').presign,
  mv: () => require('./commands/copy').mv,
  rm: () => require('./commands/place').rm,
  mb: () => require('./commands/place').mb,
  jobs: () => require('./commands/unfinished').jobs,
  work: () => require('./commands/unfinished').work,
  attach: () => require('./commands/unfinished').attach,
  stop: () => require('./commands/unfinished').stop,
  abort: () => require('./commands/unfinished').abort,
  clean: () => require('./commands/unfinished').clean,
  deploy: () => require('./commands/deploy').deploy,
  serve: () => require('./commands/deploy').serve,
  doctor: () => require('./commands/doctor'),
  probe: () => require('./commands/probe'),
  profiles: () => require('./commands/profiles'),
  report: () => require('./commands/report'),
  completion: () => require('./completion').command,
  version: () => ({
    action({ print, end }) {
      print([version])
      end(0)
    },
  }),
}
const ALIASES = new Map([['cp', 'copy']])

const VERSION = ['-V', '--version']

/** Options whose files are written. */
const WRITTEN = ['logFile', 'metrics', 'summary', 'report', 'trace', 'manifestOut', 'failures', 'output', 'out']

/**
 * Runs one command. It ends with a call of `end`, or of `leave` after the second Ctrl-C. Without any word it prints the help.
 *
 * @param {string[]} words behind the program's name
 * @param {Pick<import('./run').Process, 'input' | 'out' | 'err' | 'env' | 'end' | 'leave'>} process
 */
function main(words, process) {
  const { out, err, env, end } = process
  const args = withPort(withHuman(inOrder(words)))
  const help = helpOf('xfer')
  const program = new Command('xfer')
    .description(help.description)
    .version(version, VERSION.join(', '), 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', help.below)
    // run.js reports errors of the command line, as all others.
    .configureOutput({ writeOut: text => out.write(text), outputError: () => {}, writeErr: () => {} })
    .configureHelp({ subcommandTerm })
    .hook('preSubcommand', (_, command) => {
      addOptions(command)
      if (args.includes('-h')) shortenHelp(command)
    })
    .hook('preAction', (_, command) => {
      const flags = command.opts()
      if (WRITTEN.some(name => flags[name] !== undefined))
        return require('./own-files').checkFiles(command.name(), flags, command.args, WRITTEN)
    })
    .exitOverride()
  const own = {
    ...process,
    /** @param {string[]} lines */
    print: lines => void out.write(lines.map(line => `${line}\n`).join('')),
    /** @param {object} event */
    tell: event => own.print([require('./format').jsonLine({ ...event, time: new Date().toISOString() })]),
    hintFor: (/** @type {import('./hints').Failed} */ error) =>
      require('./hints').hintFor(error, {
        args: args.length > 0 ? args : words,
        names: [...Object.keys(COMMANDS), ...ALIASES.keys()],
      }),
    discreet: (/** @type {string} */ text) => require('./hints/line').discreetAbout(words)(text),
    /** @param {Error} error */
    complain: error => void err.write(`${own.discreet(stackOf(error))}\n`),
  }
  for (const name of commandsFor(args)) define(program, name, own)
  for (const command of program.commands) {
    command.exitOverride(error => {
      throw Object.assign(error, { command: command.name() })
    })
  }
  registerHelp(program)
  if (words[0] === '__complete') {
    const lines = require('./completion').completionLines(words.slice(1), program, env)
    return void lines.then(own.print).finally(() => end(0))
  }
  program.parseAsync(args, { from: 'user' }).catch(error => {
    if (error instanceof CommanderError && error.exitCode === 0) return end(0)
    const { createReporter } = require('./reporters')
    const to = { out: writesObjects(args) ? err : out, err, env }
    end(reportFailure(error, createReporter(flagsOf(words), to).onEvent, own))
  })
}

/**
 * `xfer help [COMMAND]`. Replaces commander's own, which treats an unknown command as none.
 *
 * @param {import('commander').Command} program
 */
function registerHelp(program) {
  program
    .command('help')
    .summary('print the help of a command')
    .argument('[COMMAND]')
    .helpOption('-h, --help', 'print this help')
    .action(name => {
      if (name === undefined) return program.outputHelp()
      const command = program.commands.find(command => command.name() === name || command.aliases().includes(name))
      const text = `There is no command "${name}".`
      if (!command) throw new lib.XferError('USAGE', { text, mistake: 'commander.unknownCommand', word: name })
      addOptions(command)
      command.outputHelp()
    })
}

/** Says that a command has options, which it gets only when it is called. @param {Command} command */
function subcommandTerm(command) {
  const term = new Help().subcommandTerm(command)
  return BARE.includes(command.name()) ? term : term.replace(/^\S+/, '$& [options]')
}

/** @param {string[]} words @returns {string[]} the command first */
function inOrder(words) {
  if (words.length === 0) return ['--help']
  if (VERSION.includes(words[0])) return words
  return words[0].startsWith('-') ? behindCommand(words) : words
}

/** `copy --live SRC DEST` names no port, `copy --live 8080 SRC DEST` does. @param {string[]} args */
function withPort(args) {
  const at = args.indexOf('--live')
  const isOption = at !== -1 && !args.slice(0, at).includes('--')
  if (!isOption) return args
  const port = /^\d+$/.test(args[at + 1] ?? '') ? args[at + 1] : undefined
  return args.toSpliced(at, port ? 2 : 1, `--live=${port ?? 0}`)
}

/**
 * `du -sh` and `ls -rh` as people type them: among other letters `h` is `-H`. Alone it asks for the help. It comes first, so that a
 * letter that is unknown is named as it was typed.
 *
 * @param {string[]} args the command first
 */
function withHuman(args) {
  const [name, ...rest] = args
  if (!['du', 'ls'].includes(name)) return args
  const places = rest.indexOf('--')
  const isFlags = (/** @type {string} */ word, /** @type {number} */ at) =>
    /^-[A-Za-z]{2,}$/.test(word) && (places === -1 || at < places)
  return [name, ...rest.map((word, at) => (isFlags(word, at) ? word.replace(/^-(.*?)h/, '-H$1') : word))]
}

/** Only the command that is named, none for the version; all for the help, for completions, and for suggestions. @param {string[]} args */
function commandsFor([name]) {
  if (VERSION.includes(name)) return []
  const named = ALIASES.get(name) ?? name
  return Object.hasOwn(COMMANDS, named) ? [named] : Object.keys(COMMANDS)
}

/** @param {Command} program @param {string} name @param {import('./run').Process} own */
function define(program, name, own) {
  const { summary, description, places, below } = helpOf(name)
  const command = program.command(name).summary(summary).description(description).addHelpText('after', below)
  for (const [alias, of] of ALIASES) if (of === name) command.alias(alias)
  for (const [place, text] of places) command.argument(place, text)
  if (BARE.includes(name)) command.helpOption('-h, --help', 'print this help')
  command.action((...args) => run(name, COMMANDS[name](), own, args))
}

/** Whether standard output is for the bytes of objects. @param {string[]} args that commander could not parse */
function writesObjects([name, ...others]) {
  const places = others.filter(word => word === '-' || !word.startsWith('-'))
  return name === 'cat' || (['copy', 'cp'].includes(name) && places[1] === '-')
}

/** The reporter's flags, for a command line that commander could not parse. @param {string[]} args */
function flagsOf(args) {
  const words = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  return { json: words.includes('--json'), quiet: words.includes('--quiet') || words.includes('-q') }
}

module.exports = { ALIASES, COMMANDS, define, main }
