'use strict'

/**
 * Which parts of an unfinished job are proved: by its journal, read with nothing of xfer's own but its lines, and by what the
 * destination lists. None of them may be copied again.
 */

const { readdir, readFile } = require('node:fs/promises')
const { join } = require('node:path')
const { crc32 } = require('node:zlib')
const { all } = require('../support/s3')

/** @param {string} state XDG_STATE_HOME @returns {Promise<string[]>} paths of everything that is kept of jobs */
async function jobFiles(state) {
  const entries = await readdir(state, { recursive: true, withFileTypes: true }).catch(error => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

/** @param {string} path @returns {Promise<any[]>} the facts whose checksum is right */
async function factsOf(path) {
  const text = await readFile(path, 'utf8')
  return text.split('\n').flatMap(line => {
    const json = line.slice(9)
    return Number.parseInt(line.slice(0, 8), 16) === crc32(json) && json !== '' ? [JSON.parse(json)] : []
  })
}

/** @param {any[]} facts newest last */
function readJob(facts) {
  const upload = facts.findLast(({ type }) => type === 'upload')
  const gone = facts.some(({ type, upload: id }) => type === 'gone' && id === upload?.id)
  if (!upload || gone) return undefined
  const parts = facts.filter(({ type, upload: id }) => type === 'part' && id === upload.id)
  return {
    uploadId: upload.id,
    bytes: facts.findLast(({ type }) => type === 'object').bytes,
    partBytes: facts.findLast(({ type }) => type === 'plan').partBytes,
    parts: new Map(parts.map(part => [part.partNumber, part])),
  }
}

/**
 * @param {string} state
 * @param {any} store the destination
 * @param {string} key
 * @returns {Promise<{ uploadId: string, journal: number[], listed: number[] } | undefined>} journal: parts that stand in the journal
 *   with the ETag and the size that the destination lists; listed: others, of which the destination keeps a checksum that nothing in the
 *   journal contradicts
 */
async function provedParts(state, store, key) {
  const journals = (await jobFiles(state)).filter(path => path.endsWith('.journal'))
  if (journals.length > 1) throw new Error(`there are ${journals.length} journals of one copy`)
  const job = journals.length === 1 ? readJob(await factsOf(journals[0])) : undefined
  if (!job) return undefined
  const { uploadId, bytes, partBytes, parts } = job
  const { entries } = await insist(() => all(marker => store.listParts({ key, uploadId, marker }), 'parts')).catch(
    error => {
      if (error.code !== 'UPLOAD_GONE') throw error
      return { entries: [] }
    },
  )
  const whole = entries.filter(part => part.bytes === Math.min(partBytes, bytes - (part.partNumber - 1) * partBytes))
  const known = whole.filter(part => parts.get(part.partNumber)?.etag === part.etag)
  const kept = whole.filter(part => {
    const told = parts.get(part.partNumber)
    return part.crc32 !== undefined && !known.includes(part) && (!told || told.crc32 === part.crc32)
  })
  return { uploadId, journal: known.map(part => part.partNumber), listed: kept.map(part => part.partNumber) }
}

const TRIES = 30

/** The stores fail the soak's own questions too. @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
async function insist(ask) {
  for (let left = TRIES; ; left--) {
    try {
      return await ask()
    } catch (error) {
      if (left === 0 || !(/** @type {any} */ (error).retryable)) throw error
    }
  }
}

module.exports = { provedParts, jobFiles, insist }
