'use strict'

/** What a copy and a comparison of prefixes begin with: an end of their own, and the plan that is told. */

const { setMaxListeners } = require('node:events')
const { endpointsOf } = require('../../job')
const { notice } = require('../../notices')
const { tellEngine } = require('../../object')

/** @typedef {import('../../job/open').Job} Job */

/**
 * The job with an end of its own, and counted.
 *
 * @param {Job} opened
 * @param {object} how
 * @param {(event: any) => void} how.saw counts an event
 * @param {boolean} [how.atOnce] what is under way has nothing to bring home: it ends with the job
 * @returns {{ job: Job, over: AbortController, cancel: AbortSignal }} cancel: that of the job
 */
function withOwnEnd(opened, { saw, atOnce = false }) {
  const over = new AbortController()
  const cancel = opened.run.cancel ? AbortSignal.any([opened.run.cancel, over.signal]) : over.signal
  // Every request adds a listener.
  setMaxListeners(0, cancel)
  /** @type {Job['run']['emit']} */
  const emit = event => {
    saw(event)
    opened.run.emit(event)
  }
  const run = Object.freeze({ ...opened.run, cancel, emit, ...(atOnce && { abort: cancel }) })
  return { job: Object.freeze({ ...opened, run }), over, cancel }
}

/**
 * @param {Pick<Job, 'source' | 'destination' | 'engine' | 'settings' | 'run'>} job
 * @param {Pick<import('../selection/selection').Selection, 'includesFirst'>} selection
 * @param {{ why: string, concurrency: number, limits?: import('../../types').EngineLimits }} engineHow as for `tellEngine`
 * @param {Record<string, unknown> & { recursive: 'copy' | 'sync' | 'verify' }} more of the plan
 */
function announce({ source, destination, engine, settings, run }, selection, engineHow, { recursive, ...more }) {
  const plan = {
    type: 'plan',
    recursive,
    source: source.text,
    destination: destination.text,
    ...endpointsOf({ source, destination }),
    ...tellEngine(engine, { ...engineHow, settings }),
    notices: [
      // A store that copies objects itself is not asked for each object's attributes first: that costs a request each.
      ...(engine.runsOn === 'store' ? [notice('ATTRIBUTES_NOT_LOOKED_AT')] : []),
      ...(selection.includesFirst ? [notice('INCLUDE_ALONE')] : []),
    ],
    ...more,
  }
  run.emit(/** @type {any} */ (plan))
}

module.exports = { announce, withOwnEnd }
