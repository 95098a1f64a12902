'use strict'

/**
 * Asks, before anything is written, whether the deployed function compares an object's headers with the guessed ones. An
 * older function would write the object with the guessed headers.
 */

const { askPatiently } = require('../../transfer')

/**
 * @param {Pick<import('../../job/open').Job, 'engine' | 'settings' | 'run'>} job
 * @throws {import('../../types').XferError} ACTION_VERSION; the platform's errors
 */
async function checkActionFeatures({ engine, settings: { retries }, run }) {
  const { features } = engine.can
  if (features) await askPatiently(() => features(['headers'], { signal: run.cancel }), { retries, run })
}

module.exports = { checkActionFeatures }
