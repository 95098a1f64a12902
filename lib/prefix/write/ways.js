'use strict'

/**
 * The ways that objects take: through the engine, or, within one store, by the store itself. Each has a scheduler for all of
 * them. The engine's is opened when the first object needs it, for where the store copies nobody has to have one.
 */

const { askLimits, createLate, shareRate } = require('../../transfer')
const { byServer, chooseChunk, chooseServerChunk, copiesWhole, copySourceOf, proofsOfCopied } = require('../../object')
const { proofsOf } = require('../../integrity')
const { createScheduler } = require('../../schedule')
const { readBack } = require('../../verify')
const { checkKnowing } = require('./action-features')
const { isLarge } = require('./large')
const { withOwnNumbers } = require('./numbers')

/** @typedef {import('../../job/open').Job} Job */
/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {import('../../commands/copy').Way} Single */

/**
 * @typedef {object} Way
 * @property {Job} job with what runs its tasks as its engine
 * @property {number} concurrency invocations at once
 * @property {import('../../types').EngineLimits} limits
 * @property {ReturnType<typeof withOwnNumbers>['schedule']} schedule
 * @property {ReturnType<typeof withOwnNumbers>['scheduleOne']} scheduleOne
 * @property {import('../../types').Late} late
 * @property {(object: { bytes: number, etag: string }) => boolean} inParts whether more than one request writes it
 * @property {(job: Job, object: ObjectHead) => Promise<import('../../object/plan/chunk').Chunk>} chooseChunk job: of the object
 * @property {(job: Job, object: ObjectHead) => import('../../types').CopySource | undefined} copies from where the store copies
 * @property {Single['readBack']} readBack
 * @property {Single['proofsOf']} proofsOf
 */

/**
 * @param {Job} job of the prefix
 * @param {{ counting: (run: import('../../types').Engine['run']) => import('../../types').Engine['run'] }} watch
 */
function createWays(job, watch) {
  /** @type {Array<{ scheduler: ReturnType<typeof createScheduler>, late: ReturnType<typeof createLate> }>} */
  const begun = []
  /** @type {Promise<Way> | undefined} */
  let engine
  /** @type {Promise<Way> | undefined} */
  let server

  /** @param {Job} job */
  async function open(job) {
    const { settings, cancel, abort, emit } = job
    const asked = await askLimits(job)
    const { concurrency, limits } = shareRate(job, {
      concurrency: Math.min(settings.concurrency, asked.concurrent),
      limits: asked,
      partBytes: settings.chunkBytes,
    })
    const late = createLate(job.engine)
    const scheduler = createScheduler({
      run: watch.counting(late.run),
      limits,
      concurrency,
      partBytes: settings.chunkBytes,
      partsPerInvocation: settings.partsPerInvocation,
      retries: settings.retries,
      pressure: job.pressure,
      cancel,
      abort,
      emit,
    })
    begun.push({ scheduler, late })
    // What it is that is late, of all objects, none of them knows.
    const ofAll = { ...late, ended: late.settled }
    return { job, concurrency, limits, ...withOwnNumbers(scheduler), late: ofAll }
  }

  /** @returns {Promise<Way>} */
  async function openEngine() {
    const way = await open(job)
    await checkKnowing(job)
    return {
      ...way,
      inParts: object => isLarge(object, job.settings),
      chooseChunk: (own, object) => chooseChunk(own, object, async () => way.limits),
      copies: () => undefined,
      readBack,
      proofsOf,
    }
  }

  /** @returns {Promise<Way>} */
  async function openServer() {
    const ours = { ...job, ...byServer(job) }
    return {
      ...(await open(ours)),
      inParts: object => !copiesWhole(ours, object),
      chooseChunk: chooseServerChunk,
      copies: ({ source }, { etag }) => copySourceOf(source, etag),
      readBack: async () => [],
      proofsOf: proofsOfCopied,
    }
  }

  return {
    /** @returns {Promise<Way>} */
    engine: () => (engine ??= openEngine()),
    /** @returns {Promise<Way>} */
    server: () => (server ??= openServer()),

    /** What ended one of them for all objects, if something did. @returns {import('../../types').XferError | undefined} */
    failure: () => begun.map(({ scheduler }) => scheduler.failure()).find(Boolean),

    /** Resolves once nothing is under way. */
    async end() {
      await Promise.all(begun.map(({ scheduler }) => scheduler.end()))
    },

    /** Waits for what nobody waits for any more. @param {number} limitMs */
    async settle(limitMs) {
      await Promise.all(begun.map(({ late }) => (late.count() > 0 ? late.ended(limitMs) : undefined)))
    },
  }
}

module.exports = { createWays }
