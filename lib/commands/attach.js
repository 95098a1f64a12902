'use strict'

/** Jobs that run elsewhere: `xfer attach` waits for the end of one, `xfer stop` asks one to stop. */

const { hostname } = require('node:os')
const { isDeepStrictEqual } = require('node:util')
const { pause, withHandler } = require('../async')
const { XferError } = require('../errors')
const { checkArguments } = require('../options')
const { report, withJournals } = require('./unfinished')

/** @typedef {import('../types').JobReport} JobReport */

const LOOK_EVERY_MS = 2_000

/**
 * Tells the progress of a job that runs elsewhere, or waits for that, until it has ended.
 *
 * @param {string} name the job's id, or the first characters of it
 * @param {import('../types').AttachOptions} [options] signal: it only detaches
 * @returns {Promise<JobReport>} as it has ended
 * @throws {XferError} NO_SUCH_JOB, INTERRUPTED
 */
async function attach(name, options = {}) {
  return await withHandler('onEvent', options, async given => {
    checkArguments('attach', { job: name }, given)
    const { signal, onEvent } = given
    return await withJournals(given, async journals => {
      /** @type {JobReport | undefined} */
      let told
      for (;;) {
        const now = await lookAt(journals, told?.id ?? name, told)
        if (!isDeepStrictEqual(now, told)) onEvent?.({ type: 'job', ...now, time: new Date().toISOString() })
        told = now
        if (now.state !== 'running' && now.state !== 'waiting') return now
        await pause(LOOK_EVERY_MS, signal)
      }
    })
  })
}

/**
 * @param {import('../types').Journals} journals
 * @param {string} name
 * @param {JobReport | undefined} before as it was found before: a folder forgets a job that is done
 * @returns {Promise<JobReport>}
 */
async function lookAt(journals, name, before) {
  try {
    return report(await journals.see(name))
  } catch (cause) {
    if (before && /** @type {import('../types').XferError} */ (cause).code === 'NO_SUCH_JOB')
      return { ...before, state: 'done' }
    throw cause
  }
}

/** An owner looks every ten seconds, and what it has under way has five. */
const STOP_WITHIN_MS = 60_000

/**
 * Asks a job to stop, as Ctrl-C would, and waits until it has. One that waits for a worker waits no more.
 *
 * @param {string} name the job's id, or the first characters of it
 * @param {import('../types').StopJobOptions} [options]
 * @returns {Promise<JobReport>} as it is then
 * @throws {XferError} NO_SUCH_JOB; JOB_RUNNING if it goes on
 */
async function stopJob(name, options = {}) {
  checkArguments('stopJob', { job: name }, options)
  return await withJournals(options, async journals => {
    const found = report(await journals.see(name))
    const { id, state, owner } = found
    if (state === 'done' || state === 'failed') throw new XferError('NO_SUCH_JOB', { job: name })
    // A range that nobody has yet is not begun any more once its job has stopped.
    for (const one of [...(found.ranges ?? []), found]) await askToStop(journals, one)
    const endMs = performance.now() + STOP_WITHIN_MS
    for (;;) {
      const now = await lookAt(journals, id, found)
      if (now.state !== 'running') return now
      if (performance.now() > endMs) throw new XferError('JOB_RUNNING', { job: id, ...owner })
      await pause(LOOK_EVERY_MS / 2, options.signal)
    }
  })
}

/** @param {import('../types').Journals} journals @param {JobReport} job @throws {XferError} JOB_RUNNING if it is that of this process */
async function askToStop(journals, { id, state, owner, ranges }) {
  if (state === 'waiting' || ranges) {
    const journal = await journals.open(id)
    const { code, message } = new XferError('INTERRUPTED', { what: 'copy', asked: true })
    await journal.write({ type: 'ended', code, message }).finally(journal.close)
  } else if (state === 'running' && owner) {
    if (journals.ask) await journals.ask(id)
    else if (owner.host === hostname() && owner.pid !== process.pid) process.kill(owner.pid, 'SIGTERM')
    else throw new XferError('JOB_RUNNING', { job: id, ...owner, own: owner.pid === process.pid })
  }
}

module.exports = { attach, stopJob }
