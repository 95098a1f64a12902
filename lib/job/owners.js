'use strict'

const { XferError } = require('../errors')
const { idBelow } = require('../stores')

/** @typedef {import('../types').ListedJob} ListedJob */
/** @typedef {import('../types').StoredUpload} StoredUpload */

/** Clocks differ, and an upload is begun a little after it was written down that it would be. */
const CREATION_SLACK_MS = 15 * 60_000

/**
 * Whose an upload is.
 *
 * @param {ListedJob[]} jobs all that there are
 * @param {(key: string) => string} placeOf the place of a key where the uploads are
 * @returns {(upload: StoredUpload) => string | undefined} the job's id; undefined where it is nobody's
 * @throws {XferError} BAD_JOURNAL where a journal cannot be read: it may be of anything
 */
function ownersOf(jobs, placeOf) {
  /** @type {Map<string, string>} */
  const byUpload = new Map()
  /** Who asked for an upload, and has not written down which one it got. @type {Map<string, { id: string, creatingMs: number }>} */
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
  return objects.flatMap(({ left, upload }) => [...left, ...(upload ? [upload.id] : [])])
}

/** Of an object below a prefix: see lib/job/open.js. @param {string} place of the prefix @param {string} name */
function placeBelow(place, name) {
  return idBelow(place.slice(0, -1), name)
}

/** The uploads of all jobs, as far as their journals tell. @param {ListedJob[]} jobs @returns {Set<string>} */
function idsOf(jobs) {
  return new Set(jobs.flatMap(uploadsOf))
}

/** @param {{ path: string, problem: string }} job */
function unreadable({ path }) {
  const reason = 'it cannot be read, and may be of an upload that must be kept'
  return new XferError('BAD_JOURNAL', { path, reason, advice: 'Check its permissions, or delete it.' })
}

module.exports = { idsOf, ownersOf }
