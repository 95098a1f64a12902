'use strict'

/** @typedef {import('./contract').Context} Context */

/**
 * The part of a job that the writers get, with the engine that runs their tasks and the run that watches them.
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
