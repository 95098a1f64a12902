'use strict'

/** Runs the commands of a scenario, and writes down what must not change: events, exit status, requests, what is there afterwards. */

const { spawn } = require('node:child_process')
const { createHash } = require('node:crypto')
const { bareEnv, runWarm, XFER } = require('../support/run-xfer')
const { unlikePage } = require('./page')
const { openWorld } = require('./world')

/** What differs from run to run: times, rates, ids, how many objects an invocation takes, bytes of reads that were cut, the machine's memory and cores. */
const VARYING =
  /^(time|at|id|job|journal|uploadId|activationId|invocations|invocationId|bytesOut|etagBefore|pid|cpus|home|file|memory)$|(Ms|Seconds|PerSecond|Version|Id|Date|[mM]odified|At)$/
/** The same, within messages and in what a place holds. @type {[RegExp, string][]} */
const VARYING_TEXTS = [
  [/127\.0\.0\.1:\d+/g, 'HOST'],
  [/\d+ threads? of this machine/g, 'N threads of this machine'],
  [/[\d.]+ MiB in memory/g, 'N MiB in memory'],
  [/\d{8}T\d{6}Z-[a-z0-9]{6}/g, 'JOB'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, 'TIME'],
  [/ in [\d.]+ (ms|s), [\d.]+ \w+\/s/g, ' in TIME'],
  [/ended after \d+ s /g, 'ended after TIME '],
  [/"mtime":"\d{10}"/g, '"mtime":"TIME"'],
  // ETags of Azure and of files.
  [/\b0x[0-9A-F]{10,}\b/g, 'ETAG'],
  [/\b[0-9a-f]+-[0-9a-f]{16}-[0-9a-f]+\b/g, 'ETAG'],
]
const SLOW = ['--require', require.resolve('./slow-clock')]
const MADE_UP_ETAG = /** @type {[RegExp, string]} */ ([/\b[0-9a-f]{32}-\d+\b/g, 'ETAG'])
/** A command that takes longer hangs, also on a busy machine. */
const LIMIT_MS = 180_000
/** What is printed whenever a clock says so. */
const UNTIMELY = new Set(['progress', 'throttle', 'hedge'])
/** Whose order is free. */
const UNORDERED = new Set(['part', 'object', 'retry', 'notice', 'difference', 'deleted'])

/**
 * @typedef {object} How
 * @property {Buffer} [stdin]
 * @property {(event: any) => boolean} [until] killed once it has printed such an event
 * @property {boolean} [bytes] standard output is bytes of an object
 * @property {boolean} [healed] the faults are over
 * @property {boolean} [bare] no engine is named: the command has none
 *
 * @typedef {Parameters<import('./world').openWorld>[0] & { steps: Array<string | [string, How]>, madeUpEtags?: boolean,
 *   bare?: boolean }} Scenario FROM/ and INTO/ in a step are the two places; madeUpEtags: of objects made of parts, as Google's are
 */

/** @typedef {(text: string) => string} Replace names of this run by those of all runs */

/** @param {any} value @param {string} [name] @returns {any} */
function withoutVarying(value, name = '') {
  if (VARYING.test(name)) return '…'
  if (Array.isArray(value)) return value.map(one => withoutVarying(one))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutVarying(inner, key)]))
}

/** @param {string} stdout @param {Replace} replace @returns {string[]} */
function eventLines(stdout, replace) {
  const events = stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
    .filter(({ type }) => !UNTIMELY.has(type))
  const lines = events.map(event => ({
    isFree: UNORDERED.has(event.type) || event.name !== undefined,
    // What belongs to one object stands together, its parts before what is said of the whole.
    order: `${event.name ?? ''} ${event.type === 'part' ? 0 : event.type === 'object' ? 2 : 1}`,
    text: replace(JSON.stringify(withoutVarying(event))),
  }))
  /** @type {string[]} */
  const result = []
  for (let i = 0; i < lines.length; ) {
    let end = i + 1
    while (lines[i].isFree && end < lines.length && lines[end].isFree) end++
    const neighbours = lines.slice(i, end)
    neighbours.sort((one, other) => (one.order + one.text < other.order + other.text ? -1 : 1))
    result.push(...neighbours.map(({ text }) => text))
    i = end
  }
  return result
}

/**
 * Runs a command in a process of its own.
 *
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {Pick<How, 'stdin' | 'until'>} how
 * @returns {Promise<{ status: number | string, stdout: Buffer, stderr: Buffer }>}
 */
async function runByItself(args, env, { stdin, until }) {
  const child = spawn(process.execPath, [...SLOW, XFER, ...args], { env: { ...bareEnv, ...env } })
  /** @type {Record<'stdout' | 'stderr', Buffer[]>} */
  const printed = { stdout: [], stderr: [] }
  let rest = ''
  child.stdout.on('data', piece => {
    printed.stdout.push(piece)
    if (!until) return
    const lines = (rest + piece).split('\n')
    rest = /** @type {string} */ (lines.pop())
    if (lines.some(line => until(JSON.parse(line)))) child.kill('SIGKILL')
  })
  child.stderr.on('data', piece => printed.stderr.push(piece))
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => {
      clearTimeout(limit)
      const [stdout, stderr] = [printed.stdout, printed.stderr].map(pieces => Buffer.concat(pieces))
      resolve({ status: status ?? String(signal), stdout, stderr })
    })
  })
}

/** @param {Buffer} bytes */
const describeBytes = bytes => `${bytes.length} bytes ${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`

/** @param {import('../support/ends/s3-objects').Look} look @param {Replace} replace @returns {string[]} */
function describePlace({ objects, uploads }, replace) {
  const lines = [...objects].map(([key, { bytes, headers, user, tags }]) => {
    const more = Object.entries({ headers, user, tags: Object.fromEntries(tags) })
      .filter(([, value]) => Object.keys(value).length > 0)
      .map(([name, value]) => ` ${name} ${replace(JSON.stringify(value))}`)
    return `  ${key}: ${describeBytes(bytes)}${more.join('')}`
  })
  return [...lines.sort(), ...uploads.map(({ key }) => `  unfinished upload of ${key}`).sort()]
}

/** @param {Map<string, number>} asked @returns {string[]} */
const describeRequests = asked => [...asked].map(([line, count]) => `  ${count} × ${line}`).sort()

/** @param {Scenario} scenario @returns {Promise<string>} */
async function record(scenario) {
  const world = await openWorld(scenario)
  try {
    const { from, into } = world.names
    const fill = (/** @type {string} */ text) => text.replaceAll('FROM/', from).replaceAll('INTO/', into)
    const varying = scenario.madeUpEtags ? [...VARYING_TEXTS, MADE_UP_ETAG] : VARYING_TEXTS
    const names = Object.entries({ [from]: 'FROM/', [into]: 'INTO/', [world.env.XDG_STATE_HOME]: 'STATE' })
    /** @type {Replace} */
    const replace = text =>
      varying.reduce(
        (result, [pattern, plain]) => result.replace(pattern, plain),
        names.reduce((result, [name, plain]) => result.replaceAll(name, plain), text),
      )
    const text = []
    for (const step of scenario.steps) {
      const [line, how] = typeof step === 'string' ? [step, {}] : step
      if (how.healed) world.heal()
      world.asked.source.clear()
      world.asked.destination.clear()
      const words = fill(line).split(' ')
      const args = how.bare || scenario.bare ? words : [...words, ...world.flags]
      const ended = await (how.until || how.stdin
        ? runByItself(args, world.env, how)
        : runWarm(args, { env: world.env, nodeArgs: SLOW }))
      const isJson = words.includes('--json')
      text.push(`$ xfer ${line}`, `exit ${ended.status}`)
      // A killed command prints and asks as far as it came.
      if (how.until) continue
      const stdout = ended.stdout.toString()
      if (isJson) expect(unlikePage(line, stdout)).toEqual([])
      text.push(
        ...(isJson ? eventLines(stdout, replace) : how.bytes ? [describeBytes(ended.stdout)] : [replace(stdout)]),
      )
      const stderr = ended.stderr.toString()
      if (stderr !== '') text.push('on standard error:', replace(stderr))
      for (const [side, asked] of Object.entries(world.asked))
        if (asked.size > 0) text.push(`requests to the ${side}:`, ...describeRequests(asked))
      text.push('')
    }
    const look = await world.look()
    text.push('at the source:', ...describePlace(look.source, replace))
    if (scenario.to !== 'same') text.push('at the destination:', ...describePlace(look.destination, replace))
    return `${text.join('\n')}\n`
  } finally {
    await world.close()
  }
}

/**
 * A test for each scenario. A change that means to keep what xfer does shows the recordings unchanged. After one that does not, look at
 * the difference, and record anew: `npx jest test/golden -u`.
 *
 * @param {Array<[name: string, world: Omit<Scenario, 'steps'>, ...steps: Scenario['steps']]>} scenarios
 */
function describeGoldens(scenarios) {
  test.each(scenarios)('%s', async (_, world, ...steps) => {
    expect(await record({ ...world, steps })).toMatchSnapshot()
  })
}

module.exports = { describeGoldens }
