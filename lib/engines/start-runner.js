'use strict'

/** The function that runs jobs: found, opened and called. */

const { XferError, usage } = require('../errors')
const { ENGINES } = require('./registry')

/** @typedef {{ env: NodeJS.ProcessEnv, apihost?: string }} RunnerPlace how its platform is found */
/** @typedef {{ engine: string, profiles?: string[], provider?: string } & import('./contract').OpenRunner} FoundRunner profiles: whose keys it has; absent: it has a role */

/** Of one job, runners that are called at once: each takes a range. */
const MOST_AT_ONCE = 16

/**
 * @param {string} engine value of `--engine`: one without runners says nothing of them
 * @param {RunnerPlace} place
 * @returns {Promise<FoundRunner | undefined>} of the first platform that is configured and has one
 * @throws {import('../types').XferError} what keeps it from the platform
 */
async function findRunner(engine, { env, ...options }) {
  const isNamed = ENGINES.some(({ name, runner }) => name === engine && runner)
  for (const { name, runner, configured } of ENGINES) {
    if (!runner || (isNamed && engine !== name)) continue
    const settings = await configured(options, env, isNamed)
    const found = settings && runner.open(settings, env)
    const there = await found?.deployed()
    if (found && there) return { engine: name, ...there, ...found }
  }
  return undefined
}

/**
 * @param {string} engine that has runners
 * @param {RunnerPlace} place
 * @returns {Promise<import('./contract').OpenRunner>} whether it is there was not asked
 * @throws {import('../types').XferError} NO_PLATFORM
 */
async function openRunner(engine, { env, ...options }) {
  const factory = ENGINES.find(({ name, runner }) => name === engine && runner)
  const settings = await factory?.configured(options, env, true)
  const runner = settings && factory?.runner?.open(settings, env)
  if (!runner) throw factory?.missing?.() ?? new XferError('NO_PLATFORM', { what: 'platform', neededBy: 'the runner' })
  return runner
}

/**
 * Calls the runner of a job again.
 *
 * @param {{ engine: string, where: string }} of where: its platform, on which it was deployed
 * @param {import('../types').RunnerCall} call
 * @param {RunnerPlace & { count?: number }} how count: of ranges that wait
 * @throws {import('../types').XferError} ACTION_NOT_DEPLOYED, NO_PLATFORM; USAGE: another platform is configured here
 */
async function startRunner({ engine, where }, call, { count = 1, ...place }) {
  const runner = await openRunner(engine, place)
  if (runner.where !== where) {
    throw usage(`It is on ${where}, and configured is ${runner.where}.`, 'Configure that.')
  }
  await callAll(runner, call, count)
}

/**
 * @param {Pick<import('./contract').OpenRunner, 'start'>} runner
 * @param {import('../types').RunnerCall} call
 * @param {number} count of calls, at least one
 * @throws {import('../types').XferError} none of them was taken
 */
async function callAll({ start }, call, count) {
  const calls = Array.from({ length: Math.max(1, Math.min(count, MOST_AT_ONCE)) }, () => start(call))
  const ends = await Promise.allSettled(calls)
  const [first] = ends
  if (first.status === 'rejected' && ends.every(({ status }) => status === 'rejected')) throw first.reason
}

module.exports = { callAll, findRunner, openRunner, startRunner }
