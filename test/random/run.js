'use strict'

/** One run: a world is made, a command runs in it, is killed or fails, and is gone on with; each end of its own is judged. */

const { spawn } = require('node:child_process')
const { createCipheriv, createHash } = require('node:crypto')
const { endOf } = require('../support/bounded-child')
const { XFER } = require('../support/run-xfer')
const { PREFIX } = require('./draw')
const { jobFiles, provedParts } = require('./journal')
const { judge, keyOf, mustSucceed, toldOf } = require('./judge')

const BOUND_MS = 240_000
const COMMANDS = 9
const BESIDE = 'tn/beside'

/**
 * @typedef {Awaited<ReturnType<typeof endOf>> & { args: string[], events: any[], last: any }} Ended last: the last event
 *
 * @typedef {object} Report
 * @property {number} run
 * @property {import('./draw').Script} script
 * @property {string[]} story
 * @property {string[]} violations
 * @property {number | null} [status] of the last command
 * @property {string} [code] of its error; NOT_TRIED: the source does not take the object that was drawn
 * @property {number} struck faults and flips
 * @property {number} killed
 * @property {number} proved parts that a command found proved
 * @property {number} elapsedMs
 *
 * @typedef {{ report: Report, tell: (text: string) => void, accuse: (text: string) => void }} Telling
 */

/** @param {number} bytes @param {string} seed @returns {Buffer} the same every time, and nowhere repeated */
function contentOf(bytes, seed) {
  const key = createHash('sha256').update(seed).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(bytes))
}

/**
 * @param {ReturnType<typeof import('./world').createPark>} park
 * @param {import('./draw').Script} script
 * @param {{ seed: number, run: number, kinds: import('./world').Kind[] }} at
 * @returns {Promise<Report>}
 */
async function runOnce(park, script, { seed, run, kinds }) {
  const startedMs = Date.now()
  /** @type {Report} */
  const report = { run, script, story: [], violations: [], struck: 0, killed: 0, proved: 0, elapsedMs: 0 }
  const tell = (/** @type {string} */ text) =>
    void report.story.push(`+${((Date.now() - startedMs) / 1000).toFixed(2)} s ${text}`)
  const accuse = (/** @type {string} */ text) => {
    report.violations.push(text)
    tell(`VIOLATION: ${text}`)
  }
  const kindOf = (/** @type {string} */ name) =>
    /** @type {import('./world').Kind} */ (kinds.find(kind => kind.name === name))
  const both = {
    source: kindOf(script.oneStore ? script.destination : script.source),
    destination: kindOf(script.destination),
  }
  let world
  try {
    world = await park.open(script, run)
    await play(world, script, { seed: `${seed}/${run}`, kinds: both }, { report, tell, accuse })
  } catch (error) {
    accuse(`the harness itself failed: ${/** @type {Error} */ (error).stack}`)
  } finally {
    await world?.close().catch((/** @type {Error} */ error) => accuse(`the harness cannot clear up: ${error.stack}`))
    report.elapsedMs = Date.now() - startedMs
  }
  return report
}

/**
 * @param {import('./world').World} world
 * @param {import('./draw').Script} script
 * @param {{ seed: string, kinds: import('./judge').Facts['kinds'] }} of
 * @param {Telling} telling
 */
async function play(world, script, { seed, kinds }, { report, tell, accuse }) {
  const { source, destination, state } = world
  await prepare(script, seed, world)
  const strip = (/** @type {Map<string, any>} */ objects) =>
    new Map([...objects].map(([key, kept]) => [script.single ? key : key.slice(PREFIX.from.length), kept]))
  const was = strip((await source.look()).objects)
  const before = (await destination.look()).objects
  /** @type {Map<string, Buffer[]>} */
  const rights = new Map([...was].map(([name, { bytes }]) => [name, [bytes]]))
  // What a server does not take cannot be copied.
  if (script.single && rights.size === 0) {
    report.code = 'NOT_TRIED'
    return tell('the source took no such object')
  }
  const spoiled = world.spoil()
  /** @type {Ended[]} */
  const commands = []
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  let proved = new Map()
  const kills = lieInWait(script, world, { tell, report, kill: signal => child?.kill(signal) ?? false, change })
  // Functions of a command that was killed may go on; and a part that was read wrong has to be copied again, where its source is read twice.
  const isReadWrong = script.verify === 'full' && script.faults.source.some(fault => fault.flipByteAt !== undefined)
  if (script.engine === 'local' && !isReadWrong)
    destination.watch((operation, { uploadId, partNumber }) => {
      if (operation === 'UploadPart' && proved.get(uploadId)?.has(partNumber))
        accuse(`part ${partNumber} was copied again, which the journal had proved`)
    })

  /** @param {number} bytes */
  async function change(bytes) {
    const [name] = rights.keys()
    const content = contentOf(bytes, `${seed}/changed`)
    rights.get(name)?.push(content)
    tell(`the source of ${name} is replaced by ${bytes} bytes`)
    await source.write(script.single ? name : PREFIX.from + name, { bytes: content })
  }

  const first = argumentsOf(script, before.get(script.objects[0].name)?.etag, world)
  let args = first
  let isMended = false
  /** @type {import('./judge').Facts['previous']} */
  let previous
  for (;;) {
    const started = spawn(process.execPath, [XFER, ...args], { env: world.env, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    const killStarted = () => started.kill('SIGKILL')
    process.on('exit', killStarted)
    const ended = readEnd(args, await endOf(started, BOUND_MS))
    process.off('exit', killStarted)
    child = undefined
    commands.push(ended)
    const { last, status, signal } = ended
    Object.assign(report, { status, code: last?.code })
    tell(`${args.join(' ')}: ${signal ?? `exit ${status}`}${status ? ` ${last?.code}: ${last?.message}` : ''}`)
    for (const { type, name, code, message } of ended.events)
      if (type === 'failure') tell(`  ${name}: ${code} ${message}`)
    if (ended.late) accuse(`it did not end within ${BOUND_MS} ms`)
    // Nothing of it arrives later.
    if (signal !== null) await Promise.all([source.cutOff(0), destination.cutOff(0)])
    await kills.settled()
    // What one that was killed left is judged with the end of those that go on with it.
    if (signal !== null) previous = (await destination.look()).objects
    else {
      const { objects: after, uploads } = await destination.look()
      const now = strip((await source.look()).objects)
      const jobs = await jobFiles(state)
      for (const wrong of judge(script, { was, now, rights, before, previous, after, uploads, jobs, commands, kinds }))
        accuse(wrong)
      previous = after
    }
    if (report.violations.length > 0 || commands.length >= COMMANDS || status === 0) break
    const isInterrupted = signal !== null || status === 130 || status === 143
    // Of a command that failed by itself the causes are taken away once, and what it names must lead to its end.
    if (!isInterrupted && (isMended || script.command === 'verify')) break
    if (!isInterrupted) {
      isMended = true
      report.struck += spoiled.hits()
      spoiled.mend()
      kills.disarm()
      tell('what went wrong on the wires is mended')
    }
    const resumes = script.comebacks[commands.length - 1] === 'resume' && last?.code !== 'NO_SUCH_JOB'
    args = resumes && (signal !== null || last?.job) ? ['resume', ...(last?.job ? [last.job] : []), '--json'] : first
    proved = await provedParts(state)
    report.proved += [...proved.values()].reduce((sum, { size }) => sum + size, 0)
  }
  if (!isMended) report.struck += spoiled.hits()
  if (!Number.isInteger(report.status)) accuse('the last command ended without an exit status')
  const { faults } = script
  const isQuiet = isMended || [faults.source, faults.destination, faults.platform].every(({ length }) => length === 0)
  // A wrong copy was removed, and with it what --if-match names: a run has said so.
  const isRemoved = report.status === 7 && commands.some(({ last }) => last?.code === 'WRONG_COPY')
  if (
    isQuiet &&
    report.violations.length === 0 &&
    report.status !== 0 &&
    !isRemoved &&
    mustSucceed(script, { kinds, before })
  )
    accuse(`it should succeed, and ends with ${report.status}: ${toldOf(commands.slice(-1))}`)
}

/** @param {string[]} args @param {Awaited<ReturnType<typeof endOf>>} end @returns {Ended} */
function readEnd(args, end) {
  const lines = end.stdout.split('\n').filter(line => line.startsWith('{') && line.endsWith('}'))
  const events = lines.map(line => JSON.parse(line))
  return { ...end, args, events, last: events.at(-1) }
}

/** @param {import('./draw').Script} script @param {string} seed @param {import('./world').World} world */
async function prepare(script, seed, { source, destination }) {
  const { command, single, objects, before, equal } = script
  for (const object of objects) {
    const bytes = contentOf(object.bytes, `${seed}/${object.name}`)
    await source.write(single ? object.name : PREFIX.from + object.name, { ...object, bytes })
    if (command !== 'verify') continue
    const other = Buffer.concat([bytes.subarray(0, -1), Buffer.from(bytes.subarray(-1).map(byte => byte ^ 0xff))])
    await destination.write(object.name, { bytes: equal ? bytes : other.length > 0 ? other : Buffer.from('other') })
  }
  if (command === 'verify') return
  for (const { name, bytes, same } of before) {
    const content = contentOf(bytes, same ? `${seed}/${name}` : `${seed}/before/${name}`)
    await destination.write(single ? objects[0].name : keyOf(script, name), { bytes: content })
  }
  if (!single) await destination.write(BESIDE, { bytes: Buffer.from('beside') })
}

/** @param {import('./draw').Script} script @param {string | undefined} etag of what the destination has @param {import('./world').World} world */
function argumentsOf({ command, single, objects, flags, condition, deletes }, etag, { source, destination, ...world }) {
  const places = single
    ? [source.text(objects[0].name), destination.text(objects[0].name)]
    : [source.text(PREFIX.from), destination.text(PREFIX.to)]
  const other = '0'.repeat(32)
  const conditions = {
    none: [],
    'no-clobber': ['--no-clobber'],
    'if-match': ['--if-match', etag ?? other],
    'if-match-other': ['--if-match', other],
  }
  return [
    ...[...command.split(' '), ...places, ...world.flags, ...flags, '--json'],
    ...[...conditions[condition], ...(deletes ? ['--delete'] : [])],
  ]
}

/**
 * @param {import('./draw').Script} script
 * @param {import('./world').World} world
 * @param {object} then
 * @param {Telling['tell']} then.tell
 * @param {Report} then.report
 * @param {(signal: NodeJS.Signals) => boolean} then.kill
 * @param {(bytes: number) => Promise<void>} then.change
 */
function lieInWait({ kills, change }, world, then) {
  let waiting = kills.map(kill => ({ kill, seen: 0 }))
  let gets = 0
  /** @type {Set<Promise<unknown>>} */
  const underWay = new Set()
  /** @type {Promise<unknown> | undefined} */
  let changing
  for (const side of /** @type {const} */ (['source', 'destination']))
    world[side].watch(operation => {
      const reads = side === 'source' && operation === 'GetObject'
      if (reads && ++gets === change?.after)
        changing = then.change(change.bytes).catch(error => then.tell(`the source stays: ${error.message}`))
      for (const one of waiting) if (one.kill.when.of === side && one.kill.when.operation === operation) one.seen++
      const due = waiting.find(({ kill, seen }) => seen === kill.when.count)
      if (!due) return reads && changing
      waiting = waiting.filter(one => one !== due).map(({ kill }) => ({ kill, seen: 0 }))
      const { victim, signal, downMs, when } = due.kill
      const at = `at ${when.of} ${operation} ${when.count}`
      then.report.killed++
      if (victim !== 'command') {
        underWay.add(world[victim].cutOff(downMs))
        then.tell(`the ${victim} is cut off for ${downMs} ms ${at}`)
      } else if (then.kill(signal)) then.tell(`${signal} ${at}`)
      return reads && changing
    })
  return {
    settled: () => Promise.all([changing, ...underWay]),
    disarm() {
      waiting = []
    },
  }
}

module.exports = { runOnce }
