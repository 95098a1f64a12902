'use strict'

/** The requests to workers: small ones, which ask what a worker is, and invocations. Each failure is an error of the table. */

const { VERSION } = require('../../../actions/copy-range/version')
const { agent: createAgent } = require('../../http')
const { XferError } = require('./errors')
const { exchange } = require('./exchange')
const { explainAnswer, explainLost, parse } = require('./explain')

/** @typedef {import('./settings').Settings} Settings */

/**
 * What a worker says of itself.
 *
 * @typedef {{ places: number, timeoutMs: number, heartbeatMs: number, payloadBytes: number }} About
 */

const CONNECT_MS = 10_000
/** A container may have to be started first. */
const START_MS = 60_000
/** So many heartbeats without a byte, before the head too: the worker is gone, or what is between. */
const SILENT_BEATS = 2.5
const USUAL_BEAT_MS = 10_000

/**
 * @param {Settings} settings
 * @param {{ connections?: number, ca?: string }} [how] connections: idle ones to keep to each worker; ca: more certificates to trust, PEM
 */
function openWorkers({ workers, token, ca: own, proxy }, { connections, ca: more } = {}) {
  const ca = [own, more].filter(Boolean).join('') || undefined
  const keep = connections === undefined ? {} : { maxFreeSockets: connections }
  const agents = new Map(workers.map(url => [url, createAgent(url, { ca, proxy, ...keep })]))
  const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  /** By worker, as it says. @type {Map<string, number>} */
  const beats = new Map()

  /**
   * @param {string} worker
   * @param {{ method: string, path: string, body?: Buffer }} request
   * @param {{ signal?: AbortSignal, headMs?: number }} how headMs: default as for the body
   * @returns {Promise<import('./exchange').Answer & { body: any }>} body: undefined if it is no JSON
   */
  async function ask(worker, { method, path, body }, { signal, headMs }) {
    const agent = /** @type {import('node:http').Agent} */ (agents.get(worker))
    const sized = body && { 'content-type': 'application/json', 'content-length': String(body.length) }
    const silenceMs = SILENT_BEATS * (beats.get(worker) ?? USUAL_BEAT_MS)
    const limits = { connectMs: CONNECT_MS, headMs: headMs ?? silenceMs, silenceMs }
    const request = { method, url: `${worker}${path}`, headers: { ...headers, ...sized }, body }
    const answer = await exchange(request, { agent, signal, limits }).catch(error => {
      throw error instanceof XferError ? error : explainLost(error, worker)
    })
    const found = answer.status === 200 ? parse(answer.text) : undefined
    return { ...answer, body: found }
  }

  return {
    /**
     * @param {string} worker
     * @param {{ signal?: AbortSignal, starting?: boolean }} [how] starting: it may have to be started first
     * @returns {Promise<About>}
     * @throws {import('../../types').XferError} ACTION_VERSION if it does not fit this xfer
     */
    async about(worker, { signal, starting = false } = {}) {
      const answer = await ask(
        worker,
        { method: 'GET', path: '/v1/worker' },
        { signal, headMs: starting ? START_MS : CONNECT_MS },
      )
      const { body, status } = answer
      if (status !== 200) throw explainAnswer(answer, worker)
      const about = readAbout(body)
      if (!about) throw new XferError('NOT_A_WORKER', { where: worker, reason: 'it answers with something else' })
      if (body.interface !== VERSION) throw misfit(worker, `its interface version is ${body.interface}, not ${VERSION}`)
      if (body.draining === true) throw new XferError('WORKER_ERROR', { where: worker, status: 503, uncertain: false })
      beats.set(worker, about.heartbeatMs)
      return about
    },

    /**
     * One invocation.
     *
     * @param {string} worker
     * @param {object} params
     * @param {{ signal?: AbortSignal }} how an abort hangs up, which ends the work
     * @returns {Promise<any>} the action's result
     */
    async run(worker, params, { signal }) {
      const body = Buffer.from(JSON.stringify(params))
      const answer = await ask(worker, { method: 'POST', path: '/v1/run', body }, { signal })
      if (answer.body === undefined) throw explainAnswer(answer, worker)
      return answer.body
    },

    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

/** @param {string} worker @param {string} reason */
function misfit(worker, reason) {
  return new XferError('ACTION_VERSION', { ...actionOf(worker), reason })
}

/** Facts for errors about the interface of a worker. @param {string} worker */
function actionOf(worker) {
  return { action: 'copy-range', where: worker, deployCommand: 'xfer serve of this version there' }
}

/** @param {any} body @returns {About | undefined} */
function readAbout(body) {
  const { interface: version, places, timeoutMs, heartbeatMs, payloadBytes } = body ?? {}
  const counts = [places, timeoutMs, heartbeatMs, payloadBytes]
  if (!Number.isSafeInteger(version) || !counts.every(count => Number.isSafeInteger(count) && count > 0))
    return undefined
  return { places, timeoutMs, heartbeatMs: Math.min(Math.max(heartbeatMs, 1_000), 60_000), payloadBytes }
}

module.exports = { actionOf, openWorkers }
