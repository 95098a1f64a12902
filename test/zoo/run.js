'use strict'

/** One run of the zoo: a world is made, a command runs in it, is killed or fails and is gone on with, and is judged each time. */

const { contentOf } = require('../soak/content')
const { jobFiles } = require('../soak/proved')
const { drawRun } = require('./draw')
const { sumOf } = require('../support/ends/s3-objects')
const { argumentsOf, runCommand, BOUND_MS, PREFIX } = require('./command')
const { judge, keyOf } = require('./judge')
const { judgeEnd, mustSucceed } = require('./ends')
const { toldOf } = require('./told')

/**
 * @typedef {object} Report
 * @property {number} run
 * @property {import('./draw').Script} script
 * @property {string} place names of the modes, or servers, of both sides
 * @property {string[]} story
 * @property {string[]} violations
 * @property {number | null | undefined} status of the last command; undefined: none was tried
 * @property {string | undefined} code of its error; NOT_TRIED: the server does not take the object that was drawn
 * @property {number} flipped bytes
 * @property {number} elapsedMs
 *
 * @typedef {object} Zoo what all runs share
 * @property {string} cli
 * @property {boolean} knowsSize whether it has `--verify size`
 * @property {(script: import('./draw').Script, run: number) => Promise<import('./world').World>} open
 * @property {(run: number, script: import('./draw').Script) => string} [place] names of the servers
 * @property {(run: number, script: import('./draw').Script) => import('./draw').Script} [refine] for these servers
 * @property {boolean} [server]
 */

const COMMANDS = 7
const BESIDE = 'tn/beside'

/**
 * @param {Zoo} zoo
 * @param {number} seed
 * @param {number} run
 * @returns {Promise<Report>}
 */
async function zooOnce(zoo, seed, run) {
  const drawn = drawRun(seed, run, { server: zoo.server })
  const known = drawn.verify === 'size' && !zoo.knowsSize ? { ...drawn, verify: /** @type {const} */ ('auto') } : drawn
  const script = zoo.refine?.(run, known) ?? known
  const startedMs = Date.now()
  const { source, destination, oneStore } = script
  const place =
    zoo.place?.(run, script) ?? `${oneStore ? 'within' : `${source.modes.join('+')} →`} ${destination.modes.join('+')}`
  /** @type {Report} */
  const report = {
    run,
    script,
    place,
    story: [],
    violations: [],
    status: undefined,
    code: undefined,
    flipped: 0,
    elapsedMs: 0,
  }
  const tell = (/** @type {string} */ text) =>
    report.story.push(`+${((Date.now() - startedMs) / 1000).toFixed(2)} s ${text}`)
  const accuse = (/** @type {string} */ text) => {
    report.violations.push(text)
    tell(`VIOLATION: ${text}`)
  }
  /** @type {import('./world').World | undefined} */
  let world
  try {
    world = await zoo.open(script, run)
    await play(zoo, script, `${seed}/${run}`, { world, report, tell, accuse })
  } catch (error) {
    accuse(`the zoo itself failed: ${/** @type {Error} */ (error).stack}`)
  } finally {
    await world?.close().catch((/** @type {Error} */ error) => accuse(`the zoo cannot clear up: ${error.stack}`))
    report.elapsedMs = Date.now() - startedMs
  }
  return report
}

/**
 * @param {Zoo} zoo
 * @param {import('./draw').Script} script
 * @param {string} seed
 * @param {{ world: import('./world').World, report: Report, tell: (text: string) => void, accuse: (text: string) => void }} at
 */
async function play(zoo, script, seed, { world, report, tell, accuse }) {
  const { source, destination } = world
  await prepare(script, seed, world)
  const was = await source.look()
  const before = (await destination.look()).objects
  const single = script.command === 'copy' || script.command === 'verify'
  const strip = (/** @type {string} */ key) => (single ? key : key.slice(PREFIX.from.length))
  /** @type {Map<string, Buffer[]>} */
  const rights = new Map([...was.objects].map(([key, { bytes }]) => [strip(key), [bytes]]))
  // What a server of other make does not take cannot be copied.
  if (single && rights.size === 0) {
    if (!zoo.server) accuse('the source took no such object')
    report.code = 'NOT_TRIED'
    return tell('the source took no such object')
  }
  /** @type {import('./command').Ended[]} */
  const commands = []
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  let killed = false

  // Those of the modes stay: they are what the store is.
  for (const rule of script.destination.options.faults ?? []) destination.misbehave(rule)
  if (!script.oneStore) for (const rule of script.source.options.faults ?? []) source.misbehave(rule)
  const rules = [
    ...script.source.rules.map(rule => source.misbehave(rule)),
    ...script.destination.rules.map(rule => destination.misbehave(rule)),
  ]

  lieInWait(script, world, {
    kill(at) {
      if (killed || !child) return
      killed = child.kill('SIGKILL')
      if (killed) tell(`killed at ${at}`)
    },
    async change(bytes) {
      const [name] = rights.keys()
      const content = contentOf(bytes, `${seed}/changed`)
      rights.get(name)?.push(content)
      await source.write(name, { bytes: content })
      tell('the source is replaced')
    },
  })

  const [key] = before.keys()
  const first = argumentsOf(script, single ? before.get(key)?.etag : undefined, world)
  let args = first
  let healed = false
  /** @type {Map<string, import('../support/ends/s3-objects').Kept> | undefined} */
  let previous
  for (;;) {
    const ended = await runCommand(zoo.cli, args, world.env, started => {
      child = started
    })
    child = undefined
    commands.push(ended)
    const after = await destination.look()
    const { last, status, signal } = ended
    report.status = status
    report.code = last?.code
    tell(
      `${args.join(' ')}: ${signal ?? `exit ${status}`}${status ? ` ${last?.code}: ${last?.message} | ${last?.hint}` : ''}`,
    )
    for (const { type, name, code, message } of ended.events) {
      if (type === 'failure') tell(`  ${name}: ${code} ${message}`)
    }
    if (ended.late) accuse(`it did not end within ${BOUND_MS} ms`)
    if (signal === null) {
      for (const wrong of judgeEnd(script, ended)) accuse(wrong)
      const now = (await source.look()).objects
      const facts = {
        source: new Map([...now].map(([one, kept]) => [strip(one), kept])),
        rights,
        before,
        previous,
        after: after.objects,
        commands,
      }
      previous = after.objects
      for (const wrong of judge(script, facts)) accuse(wrong)
      for (const one of was.objects.keys()) if (!now.has(one)) accuse(`${one} is gone from the source`)
      for (const wrong of await leftovers(world, after, commands)) accuse(wrong)
    }
    if (report.violations.length > 0 || commands.length >= COMMANDS || status === 0) break
    // Of a command that failed by itself the causes are taken away once, and what it names must lead to its end.
    if (signal === null && (healed || script.command === 'verify')) break
    if (signal === null) {
      healed = true
      report.flipped += rules.reduce((sum, rule) => sum + rule.hits, 0)
      for (const rule of rules.splice(0)) rule.remove()
      tell('what went wrong on the wires is mended')
    }
    const resumes = script.comebacks[commands.length - 1] === 'resume' && last?.code !== 'NO_SUCH_JOB'
    args = resumes && (signal !== null || last?.job) ? ['resume', ...(last?.job ? [last.job] : []), '--json'] : first
  }
  report.flipped += rules.reduce((sum, rule) => sum + rule.hits, 0)
  if (!Number.isInteger(report.status)) accuse('the last command ended without an exit status')
  const quiet = healed || [...script.source.rules, ...script.destination.rules].length === 0
  if (quiet && report.violations.length === 0 && mustSucceed(script, report.status, { server: zoo.server })) {
    accuse(`it should succeed, and ends with ${report.status}: ${toldOf(commands.slice(-1))}`)
  }
}

/** @param {import('./draw').Script} script @param {string} seed @param {import('./world').World} world */
async function prepare(script, seed, { source, destination }) {
  const { command, objects, before, pair } = script
  const single = command === 'copy' || command === 'verify'
  for (const object of objects) {
    const bytes = contentOf(object.bytes, `${seed}/${object.name}`)
    await source.write(single ? object.name : PREFIX.from + object.name, { ...object, bytes })
    if (command !== 'verify') continue
    const other = Buffer.concat([bytes.subarray(0, -1), Buffer.from(bytes.subarray(-1).map(byte => byte ^ 0xff))])
    const sum = pair === 'lying' ? { crc32: sumOf(bytes) } : {}
    // A store that checks does not take it: then it is just another one.
    await destination
      .write(object.name, { bytes: pair === 'equal' ? bytes : other, ...sum })
      .catch(() => destination.write(object.name, { bytes: other }))
  }
  if (command === 'verify') return
  for (const { name, bytes, same } of before) {
    const own = objects.find(object => object.name === name)
    const content = same && own ? contentOf(own.bytes, `${seed}/${name}`) : contentOf(bytes, `${seed}/before/${name}`)
    await destination.write(single ? objects[0].name : keyOf(script, name), { bytes: content })
  }
  if (!single) await destination.write(BESIDE, { bytes: Buffer.from('beside') })
}

/**
 * @param {import('./draw').Script} script
 * @param {import('./world').World} world
 * @param {{ kill: (at: string) => void, change: (bytes: number) => Promise<void> }} then
 */
function lieInWait({ kill, change }, { source, destination }, then) {
  let [seen, gets] = [0, 0]
  if (kill) {
    const end = kill.of === 'source' ? source : destination
    end.watch(operation => {
      if (operation === kill.operation && ++seen === kill.count) then.kill(`${kill.of} ${operation} ${kill.count}`)
    })
  }
  if (change) {
    source.watch(operation => {
      if (operation === 'GetObject' && ++gets === change.count) then.change(change.bytes).catch(() => {})
    })
  }
}

/** @param {import('./world').World} world @param {import('../support/ends/s3-objects').Look} after @param {import('./command').Ended[]} commands */
async function leftovers({ env }, after, commands) {
  const { status, last } = commands[commands.length - 1]
  const told = toldOf(commands)
  const wrong = []
  const files = await jobFiles(env.XDG_STATE_HOME)
  if (status === 0 && files.length > 0) wrong.push(`of jobs there is left: ${files.join(', ')}`)
  const named = last?.job !== undefined || /xfer (resume|abort|clean)|upload/.test(told)
  const known = status === 0 ? /upload/i.test(told) : named
  if (after.uploads.length > 0 && !known)
    wrong.push(`${after.uploads.length} uploads are left at the destination (exit ${status}), untold`)
  return wrong
}

module.exports = { zooOnce }
