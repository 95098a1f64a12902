'use strict'

/** One run: a world is made, a command runs in it, is killed or fails, and is gone on with; each end of its own is judged. */

const { spawn } = require('node:child_process')
const { createCipheriv, createHash } = require('node:crypto')
const { endOf } = require('../support/bounded-child')
const { XFER } = require('../support/run-xfer')
const { PREFIX } = require('./draw')
const { asOne } = require('./chains')
const { jobFiles, provedParts, textsIn } = require('./journal')
const { judge, keyOf, mustSucceed, toldOf } = require('./judge')
const { isOwnedBy, judgeState, textsOf } = require('./machines')

const BOUND_MS = 240_000
/** A run of a chain that was killed has its job for two minutes. */
const BOUND_OF_CHAIN_MS = 900_000
const COMMANDS = 9
const BESIDE = 'tn/beside'
/** What one may not begin that was taken over in its sleep. */
const FENCED = /^(CompleteMultipartUpload|DeleteObjects?)$/

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
 * @property {string[]} shared what happened between two machines
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
  const report = { run, script, story: [], violations: [], struck: 0, killed: 0, proved: 0, shared: [], elapsedMs: 0 }
  const tell = (/** @type {string} */ text) =>
    void report.story.push(`+${((Date.now() - startedMs) / 1000).toFixed(2)} s ${text}`)
  const accuse = (/** @type {string} */ text) => {
    report.violations.push(text)
    tell(`VIOLATION: ${text}`)
  }
  const kindOf = (/** @type {string} */ name) =>
    /** @type {import('./world').Kind} */ (kinds.find(kind => kind.name === name))
  const { destination, source = destination } = { ...script, ...(script.oneStore && { source: undefined }) }
  const both = { source: kindOf(source), destination: kindOf(destination) }
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
  /** @type {(stopped: undefined) => void} */
  let onSleep = () => {}
  function kill(/** @type {NodeJS.Signals} */ signal) {
    if (world.chain) return world.chain.killRun()
    if (signal === 'SIGSTOP') onSleep(undefined)
    return child?.kill(signal) ?? false
  }
  const kills = lieInWait(script, world, { tell, report, kill, change })
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
    const key = script.single ? name : PREFIX.from + name
    await source.write(key, { bytes: content })
    // A destination that keeps something else may be the source's store too.
    const kept = (await source.look()).objects.get(key)
    if (kept && !kept.bytes.equals(content)) rights.get(name)?.push(kept.bytes)
  }

  /** It was taken over, by one that has finished the job. */
  let isFenced = false
  for (const place of script.machines ? [source, destination] : [])
    place.watch(operation => {
      if (isFenced && FENCED.test(operation)) accuse(`one that was taken over in its sleep begins a ${operation}`)
    })

  /** @param {string[]} args @param {string} machine */
  function start(args, machine) {
    const stdio = /** @type {['ignore', 'pipe', 'pipe']} */ (['ignore', 'pipe', 'pipe'])
    const started = spawn(process.execPath, [...world.nodeArgs, XFER, ...args], { env: world.envOf(machine), stdio })
    const killStarted = () => started.kill('SIGKILL')
    process.on('exit', killStarted)
    const ended = endOf(started, script.chain ? BOUND_OF_CHAIN_MS : BOUND_MS).then(end => {
      process.off('exit', killStarted)
      const { last, status, signal, ...rest } = readEnd(args, end)
      const on = script.machines ? `${machine}: ` : ''
      const { code: why, message: said } = last?.ended ?? last ?? {}
      tell(`${on}${args.join(' ')}: ${signal ?? `exit ${status}`}${status ? ` ${why}: ${said}` : ''}`)
      for (const { type, name, code, message } of rest.events)
        if (type === 'failure') tell(`  ${name}: ${code} ${message}`)
      return { ...rest, last, status, signal }
    })
    return { child: started, ended }
  }

  /** It is left to functions, and watched to its end. @param {string[]} args @param {string} machine */
  function leave(args, machine) {
    const { child: leaving, ended } = start([...args, '--detach'], machine)
    return {
      child: leaving,
      ended: ended.then(async detached => {
        if (detached.status !== 0) return detached
        return asOne(detached, await start(['attach', detached.last.job, '--json'], 'three').ended)
      }),
    }
  }

  /** Both begin at once. @param {string[]} args @returns {Promise<Ended>} the one that did it, or was the last */
  async function startBoth(args) {
    const two = start(args, 'two')
    /** @type {Ended[]} in the order in which they ended */
    const ends = []
    const one = start(args, 'one')
    child = one.child
    await Promise.all([one, two].map(async ({ ended }) => void ends.push(await ended)))
    const both = ends.filter(({ last }) => last?.code !== 'JOB_RUNNING').reverse()
    const [done, ...earlier] = both.sort((one, other) => Number(other.status === 0) - Number(one.status === 0))
    report.shared.push(earlier.length > 0 ? 'both' : 'one of two')
    commands.push(...earlier)
    if (!done) accuse('each of two machines leaves the job to the other')
    return done ?? ends[0]
  }

  /** One wakes whose job another machine has taken over. @param {Ended} taker @param {ReturnType<typeof start> & { owned: boolean }} sleeper @returns {Promise<Ended>} how the sleeper ends */
  async function wake(taker, sleeper) {
    const { shared } = world
    const jobs = textsOf(shared ? await shared.look() : new Map()).size
    // One that was killed in the moment in which it was to fall asleep is no sleeper.
    const isAlive = sleeper.child.exitCode === null && sleeper.child.signalCode === null
    const isTaken = taker.status === 0 && jobs === 1 && sleeper.owned && isAlive
    isFenced = isTaken
    sleeper.child.kill('SIGCONT')
    const woken = await sleeper.ended
    isFenced = false
    report.shared.push(`woke to ${woken.status}`)
    if (isTaken && woken.status !== 75) accuse(`one that was taken over in its sleep ends with ${woken.status}`)
    return woken
  }

  /** @type {import('./judge').Facts['previous']} */
  let previous
  /** What is there after one has ended. @param {Ended} ended */
  async function conclude(ended) {
    const { last, status, signal } = ended
    commands.push(ended)
    Object.assign(report, { status, code: last?.code })
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
      if (!world.shared) return
      const listed = await start(['jobs', ...world.shared.flags, '--json'], 'three').ended
      for (const wrong of judgeState(commands, listed, await world.shared.look())) accuse(wrong)
    }
  }

  const first = argumentsOf(script, before.get(script.objects[0].name)?.etag, world)
  let args = first
  let isMended = false
  let machine = 'one'
  /** @type {(ReturnType<typeof start> & { owned: boolean }) | undefined} owned: it had the job when it fell asleep */
  let sleeper
  for (;;) {
    /** @type {Promise<undefined>} */
    const asleep = new Promise(resolve => {
      onSleep = resolve
    })
    let ended
    if (script.machines?.atOnce && commands.length === 0) ended = await startBoth(args)
    else {
      const started = script.chain ? leave(args, machine) : start(args, machine)
      child = started.child
      ended = await Promise.race([started.ended, asleep])
      if (ended === undefined) {
        sleeper = { ...started, owned: isOwnedBy(textsOf((await world.shared?.look()) ?? new Map()), machine) }
        machine = machine === 'one' ? 'two' : 'one'
        args = [...first, '--take']
        continue
      }
    }
    child = undefined
    if (sleeper) {
      const woken = await wake(ended, sleeper)
      sleeper = undefined
      // By the one that took over it goes on, unless that one had nothing to do any more.
      const isOver = woken.status === 0 && ended.status !== 0
      commands.push(isOver ? ended : woken)
      if (isOver) ended = woken
    }
    await conclude(ended)
    const { last, status, signal } = ended
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
    const kept = textsOf((await world.shared?.look()) ?? new Map())
    if (script.machines?.others[commands.length]) {
      machine = machine === 'one' ? 'two' : 'one'
      // Which one is meant, where nothing tells whether it still runs, has to be said.
      if (args.length === 2 && args[0] === 'resume')
        args = kept.size > 0 ? ['resume', [...kept.keys()].at(-1) ?? '', '--json'] : first
      args = [...args, '--take']
      report.shared.push(`${args[0] === 'resume' ? 'resumed' : 'again'} elsewhere`)
    }
    if (args[0] === 'resume') args = [...args, ...(world.shared?.flags ?? [])]
    proved = provedParts(world.shared ? [...kept.values()] : await textsIn(state))
    report.proved += [...proved.values()].reduce((sum, { size }) => sum + size, 0)
  }
  sleeper?.child.kill('SIGKILL')
  if (!isMended) report.struck += spoiled.hits()
  if (!Number.isInteger(report.status)) accuse('the last command ended without an exit status')
  const { faults } = script
  const wires = [faults.source, faults.destination, faults.platform, script.machines?.faults, script.chain?.faults]
  const isQuiet = isMended || wires.every(list => !list?.length)
  // A wrong copy was removed, and with it what --if-match names: a run has said so.
  const isRemoved = report.status === 7 && commands.some(({ last }) => last?.code === 'WRONG_COPY')
  // What a store that keeps other bytes shows may be somebody's: it was left, and said so, and --no-clobber respects it.
  const isLeft = report.status === 7 && commands.some(({ last }) => last?.code === 'OBJECT_CHANGED')
  const isRight = report.status === 0 || isRemoved || isLeft
  if (isQuiet && report.violations.length === 0 && !isRight && mustSucceed(script, { kinds, before }))
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
  /** @type {Set<Promise<unknown> | undefined>} */
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
        underWay.add(victim === 'platform' ? world.chain?.restart(downMs) : world[victim].cutOff(downMs))
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
