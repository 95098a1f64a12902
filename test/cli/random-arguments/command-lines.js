'use strict'

/** Command lines of all sorts, for every command that the program names, with the options that its own help names. */

const fc = require('fast-check')
const { runXfer } = require('../../support/run-xfer')

/** No option of any command. */
const STRANGE = [
  '--',
  '-',
  '-x',
  '---',
  '--=',
  '--no-',
  '--Chunk',
  '--constructor',
  '--__proto__',
  '--json=x',
  '--yes=1',
  '--profile',
  '--transfers=8',
  '-n',
  '-nv',
  '-recursive',
  '--dryrun',
]

const VALUES = [
  ...['0', '1', '5', '-1', '1e3', 'abc', '', ' ', '5MiB', 'auto', 'local', 'path', 'match', 'keep', 'abort', 'full'],
  ...['us-east-1', 'http://127.0.0.1:1', 'http://[::1', 'http://a b', '%', '\n', '24h', '0s', '1s', '99999999999d'],
  ...['null', '__proto__', '😀', '\u001b[2J', "'", '"', '$(id)', '../..', '/etc', '/dev/null', 'concurrent=1', '=,='],
]

const LOCATIONS = [
  ...['s3://src/object', 's3://dst/new', 's3://dst/', 's3://dst', 's3://p@src/o', 's3://', 's3://x', 'S3://src/\u0001'],
  ...['file:///etc', './none.journal', '2026', '-', 'az://c/x', 'remote:bucket/key', 'alias/bucket/key', 's3:b/k'],
  ...['s3://src/*.jpg', 's3://src/dir/', 'https://u:hunter2-SECRET@host/b/k?X-Amz-Signature=hunter2-SECRET'],
]

/** Words that are right together, of several commands. */
const PHRASES = [
  ...[
    ['--chunk', '5'],
    ['--retries', '0'],
    ['--engine', 'auto'],
    ['--io-timeout', '1'],
    ['--bandwidth', '50M'],
    ['--concurrency', '3'],
  ],
  ...[['--source-region', 'eu-west-1'], ['--source-no-sign-request'], ['--dry-run']],
  ...[['--no-clobber'], ['--json'], ['--quiet'], ['--on-failure', 'abort'], ['--timeout', '5s']],
  ...[
    ['--metadata', 'replace'],
    ['--metadata-set', 'a=b'],
    ['--tags', 'none'],
    ['--storage-class', 'STANDARD'],
    ['--mtime'],
  ],
  ...[
    ['--sse', 'AES256'],
    ['--version-id', 'null'],
    ['--content-type', 'text/plain'],
    ['--header', 'Expires=2037-01-01'],
  ],
  ...[['--older-than', '1h'], ['--yes'], ['--memory', '256'], ['--undeploy'], ['--restart']],
]

/** @param {string} help @returns {string[]} */
const commandsIn = help =>
  [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z]+)(?:\|([a-z]+))?\b/gm)].flatMap(([, name, alias]) =>
    alias ? [name, alias] : [name],
  )

/** @param {string} help */
const optionsIn = help => [...new Set([...help.matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(([, name]) => name))]

/** @param {string} help @returns {string[]} `SRC`, `DEST`, `JOB` */
const placesIn = help =>
  [...(/^Usage: .*/.exec(help)?.[0] ?? '').matchAll(/[<[]([A-Z]+)[>\]]/g)].map(([, name]) => name)

/** @typedef {{ name: string, options: string[], places: string[] }} Command */

/**
 * What the program says of itself, so that no command and no option can be forgotten here.
 *
 * @returns {Promise<Command[]>}
 */
async function askProgram() {
  const { stdout } = await runXfer(['--help'])
  const names = commandsIn(stdout).filter(name => !['completion', 'help', 'version'].includes(name))
  const helps = await Promise.all(names.map(name => runXfer([name, '--help'])))
  return names.map((name, i) => ({ name, options: optionsIn(helps[i].stdout), places: placesIn(helps[i].stdout) }))
}

/** What each place of a command usually is. @param {string} job */
const placesOf = job => ({
  ...{ SRC: 's3://src/object', DEST: 's3://dst/new', JOB: job, SHELL: 'tcsh', LOCATION: 's3://src/object' },
})

/** Each command once, without options. @param {Command[]} commands @param {string} job @returns {string[][]} */
function plainLines(commands, job) {
  const usual = placesOf(job)
  return commands.map(({ name, places }) => [name, ...places.map(place => usual[place])])
}

/**
 * Some that make sense, and all sorts of others.
 *
 * @param {Command[]} commands
 * @param {string} job the id of one that there is
 * @returns {import('fast-check').Arbitrary<string[]>}
 */
function commandLines(commands, job) {
  const usual = placesOf(job)
  const sensible = fc.constantFrom(...commands).chain(({ name, options, places }) => {
    const own = PHRASES.filter(phrase => phrase.every(word => !word.startsWith('--') || options.includes(word)))
    return fc.subarray(own).map(phrases => [name, ...places.map(place => usual[place]), ...phrases.slice(0, 4).flat()])
  })
  return (
    fc
      .oneof(sensible, wildLines(commands, job))
      // A process cannot be given a NUL, and help is no error.
      .map(args => args.map(text => text.replaceAll('\u0000', '')))
      .filter(args => !args.some(text => /^(--help|--version|-h|-V|help|version)$/.test(text)))
  )
}

/** @param {Command[]} commands @param {string} job */
function wildLines(commands, job) {
  const options = [...new Set(commands.flatMap(command => command.options))]
  const locations = [...LOCATIONS, job, job.slice(0, 8)]
  const word = fc.oneof(
    fc.constantFrom(...options, ...STRANGE),
    fc.constantFrom(...VALUES),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(...locations),
  )
  const words = fc.oneof(
    fc.array(word, { maxLength: 6 }),
    fc.tuple(fc.constantFrom(...options), fc.constantFrom(...VALUES)),
  )
  const places = fc.oneof(
    fc.constant(['s3://src/object', 's3://dst/new']),
    fc.constant([job]),
    fc.constant(['s3://dst']),
    fc.array(fc.constantFrom(...locations), { maxLength: 3 }),
  )
  const names = fc.constantFrom(
    ...commands.map(({ name }) => name),
    '',
    'COPY',
    'nonsense',
    'tree',
    's3',
    'mirror',
    '--debug',
  )
  return fc
    .tuple(names, places, words, fc.boolean())
    .map(([name, where, others, first]) => (first ? [name, ...others, ...where] : [name, ...where, ...others]))
}

module.exports = { plainLines, askProgram, commandLines }
