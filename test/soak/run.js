'use strict'

/** One run of the soak: a copy, what is killed meanwhile, and the commands that go on with it until it is done. */

const { spawn } = require('node:child_process')
const { all } = require('../support/stores')
const { XFER } = require('../support/run-xfer')
const { drawRun } = require('./draw')
const { forEnds } = require('./draw-ends')
const { ownChild } = require('./leftovers')
const { insist, jobFiles } = require('./proved')
const { prefixTask } = require('./prefix-task')
const { objectTask } = require('./tasks')
const { COMMANDS, keyOf, openWorld } = require('./world')
const { endOf } = require('../support/bounded-child')

/** @typedef {import('./draw').Kill} Kill */
/** @typedef {import('../support/ends').Started} Started */

/** A 202 whose platform was killed is waited for as long as its action may run, and two minutes more. */
const BOUND_MS = 420_000
/** Of a command that was not killed: failed for now, the platform, interrupted. Nothing else can be right here. */
const MAY_END_WITH = [1, 5, 130]

/**
 * @typedef {object} Report
 * @property {number} run
 * @property {string} [place] names of both ends
 * @property {import('./draw').Script} script
 * @property {string[]} story what happened, in order
 * @property {string[]} violations
 * @property {Record<string, number>} killed by victim
 * @property {number} commands
 * @property {number} proved parts that a command found proved and did not copy
 * @property {number} elapsedMs
 */

/**
 * @param {number} seed
 * @param {number} run
 * @param {{ prefix: boolean, engine?: string, firstCli?: string, ends?: { source: Started, destination: Started } }} what prefix: all that lies below
 *   one, and not a single object; firstCli: the program of the first command, where it is another one; ends: servers of any kind
 * @returns {Promise<Report>}
 */
async function soakOnce(seed, run, { prefix, engine, firstCli = XFER, ends }) {
  const drawn = drawRun(seed, run, { prefix, engine })
  const script = ends ? forEnds(drawn, ends) : drawn
  const startedMs = Date.now()
  /** @type {Report} */
  const place = ends && `${ends.source.name} → ${ends.destination.name}`
  const report = { run, place, script, story: [], violations: [], killed: {}, commands: 0, proved: 0, elapsedMs: 0 }
  const since = () => `+${((Date.now() - startedMs) / 1000).toFixed(2)} s`
  const tell = (/** @type {string} */ text) => report.story.push(`${since()} ${text}`)
  const accuse = (/** @type {string} */ text) => {
    report.violations.push(text)
    tell(`VIOLATION: ${text}`)
  }

  /** @type {{ child: import('node:child_process').ChildProcess, number: number, proved: import('./tasks').Proved | undefined } | undefined} */
  let command
  /** All of them lie in wait, and count from the last one that struck. @type {{ kill: Kill, seen: number }[]} */
  let waiting = script.kills.map(kill => ({ kill, seen: 0 }))

  /** @param {string} of @param {any} event */
  function onEvent(of, event) {
    if (of === 'destination' && event.event === 'begin') judge(event)
    if (event.accessKeyId === 'SOAKHARNESS' || command === undefined) return
    for (const one of waiting) {
      const { when } = one.kill
      if (when.of === of && when.event === event.event && when.operation === event.operation) one.seen++
    }
    const due = waiting.find(({ kill, seen }) => seen === kill.when.count)
    if (!due) return
    waiting = waiting.filter(one => one !== due).map(({ kill }) => ({ kill, seen: 0 }))
    strike(due.kill, event)
  }

  /** What was proved before the command began must not be sent by it. @param {any} event */
  function judge(event) {
    if (!command?.proved || keyOf(command.number) !== event.accessKeyId) return
    const wrong = task.judge(event, command.proved)
    if (wrong) accuse(wrong)
  }

  /** @param {Kill} kill @param {any} event */
  function strike({ victim, signal, when, downMs }, event) {
    const at = `${when.of} ${when.event} ${when.operation ?? ''} ${when.count}`.replace(/ +/g, ' ')
    const done = victim === 'cli' ? command?.child.kill(signal) : strikeOther(victim, event, downMs)
    if (!done) return tell(`${victim} was not there to be killed at ${at}`)
    report.killed[victim] = (report.killed[victim] ?? 0) + 1
    tell(
      `killed ${victim}${signal === 'SIGKILL' ? '' : ` (${signal})`} at ${at}${victim === 'cli' || victim === 'container' ? '' : `, down ${downMs} ms`}`,
    )
  }

  /** @param {Exclude<import('./draw').Victim, 'cli'>} victim @param {any} event @param {number} downMs */
  function strikeOther(victim, event, downMs) {
    if (victim !== 'container') return world.strike(victim, downMs)
    try {
      return process.kill(event.pid, 'SIGKILL')
    } catch {
      return false
    }
  }

  /** What all commands have printed. */
  let said = ''
  const world = await openWorld(script, onEvent, ends && { ...ends, container: `soak-${run}` })
  const task = (prefix ? prefixTask : objectTask)(script, `${seed}/${run}`, world.text)
  const [from, to] = await Promise.all([world.open('source'), world.open('destination')])
  try {
    await task.prepare(from, to)
    /** @type {'copy' | 'resume'} */
    let verb = 'copy'
    /** @type {Set<string>} */
    let reported = new Set()
    for (;;) {
      await world.whole()
      if (report.commands === 1 && (await task.change?.(from))) tell('the source changed')
      const proved = await task.proved(world.state, to, from, reported)
      const ended = await runCommand(verb, proved)
      reported = new Set(ended.copied)
      tell(`${verb} ended: ${ended.text}`)
      if (ended.violation) accuse(ended.violation)
      if (ended.done || ended.violation) break
      if (report.commands >= COMMANDS) {
        accuse(`it is not done after ${COMMANDS} commands`)
        break
      }
      // Who has nothing to go on with begins again.
      verb = ended.code === 'NO_SUCH_JOB' ? 'copy' : (script.comebacks[report.commands - 1] ?? 'resume')
    }
    await world.whole()
    if (report.violations.length === 0) await checkEnd()
  } catch (error) {
    accuse(`the soak itself failed: ${/** @type {Error} */ (error).stack}`)
  } finally {
    command?.child.kill('SIGKILL')
    from.close()
    to.close()
    await world.close()
    report.elapsedMs = Date.now() - startedMs
  }
  return report

  /** @param {'copy' | 'resume'} verb @param {import('./tasks').Proved | undefined} proved */
  async function runCommand(verb, proved) {
    const number = report.commands++
    const args = verb === 'copy' ? [...task.args, '--engine', script.engine, ...script.flags] : ['resume']
    const child = ownChild(
      spawn(process.execPath, [number === 0 ? firstCli : XFER, ...args, '--json'], {
        env: world.environment(number),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
    command = { child, number, proved }
    if (proved) {
      report.proved += proved.many
      tell(`${verb} finds ${proved.text}`)
    }
    const ended = await endOf(child, BOUND_MS)
    command = undefined
    said += ended.stdout
    return judgeEnd(ended, script)
  }

  async function checkEnd() {
    const uploads = await insist(() => all(marker => to.upload.pending({ prefix: '', marker }), 'uploads'))
    // One whose creation was not answered nothing tells from somebody else's: it is told, and left.
    const untold = uploads.entries.filter(({ id }) => !said.includes(`the upload ${id},`))
    if (untold.length > 0) accuse(`${untold.length} uploads are left at the destination, untold`)
    const files = await jobFiles(world.state)
    if (files.length > 0) accuse(`of jobs there is left: ${files.join(', ')}`)
    for (const wrong of await task.wrong(to)) accuse(wrong)
  }
}

/**
 * @param {{ status: number | null, signal: string | null, late: boolean, stdout: string, stderr: string }} run
 * @param {import('./draw').Script} script
 * @returns {{ text: string, done?: boolean, code?: string, violation?: string, copied?: string[] }} copied: names of the objects that
 *   it reported as copied; absent of a command that was killed, whose journal may lack what it reported last
 */
function judgeEnd({ status, signal, late, stdout, stderr }, { destination }) {
  const events = stdout
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
  const last = events.at(-1)
  const setbacks = countOf(events.filter(({ type }) => type === 'retry' || type === 'throttle'))
  if (late)
    return { text: `hangs${setbacks}`, violation: `it did not end within ${BOUND_MS} ms: ${stdout.slice(-1_000)}` }
  if (signal !== null) return { text: `${signal}${setbacks}` }
  const text = `exit ${status}${last?.code ? `, ${last.code}: ${last.message}` : ''}${setbacks}`
  if (/^\s+at .+:\d+:\d+/m.test(stdout + stderr)) return { text, violation: `it printed a stack trace: ${stderr}` }
  if (status === 0)
    return last?.type === 'done' ? { text, done: true } : { text, violation: 'it ends with 0 and without "done"' }
  if (last?.code === 'NO_SUCH_JOB') return { text, code: last.code }
  const flips = /** @type {any[]} */ (destination.faults).some(fault => 'flipByteAt' in fault)
  // A part whose last attempt met a flipped byte says so, and is kept for the next command like any other.
  const flipped = status === 8 && last?.code === 'PART_FAILED' && flips
  const allowed = flipped || last?.code === 'OBJECTS_FAILED' || MAY_END_WITH.includes(status ?? -1)
  if (!allowed || last?.code === 'INTERNAL') return { text, violation: `it ended with ${text}` }
  const copied = events.filter(({ type, action }) => type === 'object' && action === 'copy').map(({ name }) => name)
  return { text, code: last?.code, copied }
}

/** What a command met on its way, in words. @param {any[]} setbacks */
function countOf(setbacks) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { call, partNumber, code } of setbacks) {
    const what = `${call ?? (partNumber === undefined ? 'the platform or a store' : `part ${partNumber}`)} ${code}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  const words = [...counts].map(([what, count]) => (count === 1 ? what : `${count} × ${what}`))
  return words.length > 0 ? ` (met ${words.join(', ')})` : ''
}

module.exports = { soakOnce }
