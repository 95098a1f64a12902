'use strict'

/** @typedef {import('./contract').Context} Context */

/**
 * What the writers are given of a job, once it is known what runs their tasks and who watches.
 *
 * @param {Pick<Context, 'settings' | 'source' | 'destination' | 'trust'>} job
 * @param {{ engine: Context['engine'], run: Context['run'], keepsUploads?: Context['keepsUploads'] }} own keepsUploads: where there is
 *   a journal and `--on-failure keep`, when absent
 * @returns {Context}
 */
function contextOf({ settings, source, destination, trust }, { engine, run, keepsUploads }) {
  const keeps = keepsUploads ?? (() => run.journal.kept && settings.onFailure === 'keep')
  return Object.freeze({ settings, source, destination, engine, trust, run, keepsUploads: keeps })
}

module.exports = { contextOf }
