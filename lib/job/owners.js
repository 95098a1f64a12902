'use strict'

const { XferError } = require('../errors')
const { idBelow } = require('../stores')

/** @typedef {import('../types').ListedJob} ListedJob */
/** @typedef {import('../types').StoredUpload} StoredUpload */

/** Tolerance: clocks differ, and an upload is created a little after the journal announces it. */
const CREATION_SLACK_MS = 15 * 60_000

/**
 * Finds the job that an upload belongs to.
 *
 * @param {ListedJob[]} jobs all that there are
 * @param {(key: string) => string} placeOf the place of a key where the uploads are
 * @returns {(upload: StoredUpload) => string | undefined} the job's id; undefined: it belongs to no job
 * @throws {XferError} BAD_JOURNAL if a journal cannot be read: any upload may belong to its job
 */
function ownersOf(jobs, placeOf) {
  /** @type {Map<string, string>} */
  const byUpload = new Map()
  /** Jobs that asked for an upload and have not recorded its id. @type {Map<string, { id: string, creatingMs: number }>} */
  const byPlace = new Map()
  for (const job of jobs) {
    if (job.problem !== undefined && job.uploads === undefined) throw unreadable(job)
    for (const id of uploadsOf(job)) byUpload.set(id, job.id)
    if (job.problem === undefined && job.creatingMs !== undefined) {
      byPlace.set(job.destination.place, { id: job.id, creatingMs: job.creatingMs })
    }
    if (job.problem !== undefined) continue
    for (const [name, { creatingMs }] of job.prefix?.objects ?? []) {
      if (creatingMs !== undefined) byPlace.set(placeBelow(job.destination.place, name), { id: job.id, creatingMs })
    }
  }
  return ({ key, id, initiatedMs }) => {
    const creating = byPlace.get(placeOf(key))
    const maybeItsOwn = creating && (initiatedMs === undefined || initiatedMs > creating.creatingMs - CREATION_SLACK_MS)
    return byUpload.get(id) ?? (maybeItsOwn ? creating.id : undefined)
  }
}

/** @param {ListedJob} job @returns {string[]} ids */
function uploadsOf(job) {
  if (job.problem !== undefined) return job.uploads ?? []
  const objects = [job, ...(job.prefix?.objects.values() ?? [])]
  return objects.flatMap(({ left, upload }) => [...left, ...(upload ? [upload] : [])].map(({ id }) => id))
}

/** The place of an object below a prefix: see lib/job/open.js. @param {string} place of the prefix @param {string} name */
function placeBelow(place, name) {
  return idBelow(place.slice(0, -1), name)
}

/** The ids of all uploads that the journals name. @param {ListedJob[]} jobs @returns {Set<string>} */
function idsOf(jobs) {
  return new Set(jobs.flatMap(uploadsOf))
}

/** @param {{ path: string, problem: string }} job */
function unreadable({ path }) {
  const reason = 'it cannot be read, and may be of an upload that must be kept'
  return new XferError('BAD_JOURNAL', { path, reason, advice: 'Check its permissions, or delete it.' })
}

module.exports = { idsOf, ownersOf }
