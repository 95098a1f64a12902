'use strict'

/**
 * Which parts of an unfinished job are proved: by its journal, read with nothing of xfer's own but its lines, and by what the
 * destination lists. None of them may be copied again.
 */

const { readdir, readFile } = require('node:fs/promises')
const { join } = require('node:path')
const { crc32 } = require('node:zlib')
const { all } = require('../support/stores')

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

/** Of one object. @param {any[]} facts newest last */
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
  return job && (await provedOf(job, store, key))
}

/** Of a part in a journal; older versions wrote a number. @param {any} noted @returns {string | undefined} in hex */
const crc32In = ({ sums, crc32: older }) => sums?.crc32 ?? older?.toString(16).padStart(8, '0')

/** @param {NonNullable<ReturnType<typeof readJob>>} job @param {any} store the destination @param {string} key */
async function provedOf({ uploadId, bytes, partBytes, parts }, store, key) {
  const { entries } = await insist(() => all(marker => store.upload.parts({ key, uploadId, marker }), 'parts')).catch(
    error => {
      if (error.code !== 'UPLOAD_GONE') throw error
      return { entries: [] }
    },
  )
  const whole = entries.filter(part => part.bytes === Math.min(partBytes, bytes - (part.partNumber - 1) * partBytes))
  const known = whole.filter(part => {
    const noted = parts.get(part.partNumber)
    // An MD5 that is not the ETag shows a part that was damaged on its way, or a store whose ETags are no MD5s, of which one is
    // tried again: both are copied again in the end.
    const md5 = noted?.sums?.md5 ?? noted?.md5
    const damaged = md5 !== undefined && noted.etag !== `"${md5}"`
    return noted?.etag === part.etag && !damaged
  })
  const kept = whole.filter(part => {
    const told = parts.get(part.partNumber)
    const sum = part.sums?.crc32
    return sum !== undefined && !known.includes(part) && (!told || crc32In(told) === sum)
  })
  return { uploadId, journal: known.map(part => part.partNumber), listed: kept.map(part => part.partNumber) }
}

/**
 * Of a job over a prefix: the objects that it has copied and proved, and the parts of those that it had begun.
 *
 * @param {string} state
 * @param {{ from: any, to: any, prefix: { from: string, to: string } }} places
 * @param {{ full: boolean, checks: boolean, reported: Set<string> }} how as of `copiedNames`
 * @returns {Promise<{ there: Set<string>, parts: Map<string, Set<number>> } | undefined>} there: keys; parts: by the upload's id
 */
async function provedOfPrefix(state, { from, to, prefix }, { full, checks, reported }) {
  const journals = (await jobFiles(state)).filter(path => path.endsWith('.journal'))
  if (journals.length > 1) throw new Error(`there are ${journals.length} journals of one copy`)
  const facts = journals.length === 1 ? await factsOf(journals[0]) : []
  if (!facts.some(({ type }) => type === 'ranges')) return undefined
  const [sources, copies] = await Promise.all([listed(from, prefix.from), listed(to, prefix.to)])
  const there = copiedNames(facts, { sources, copies, full, checks, reported })
  /** @type {Map<string, Set<number>>} */
  const parts = new Map()
  for (const [name, own] of objectsOf(facts)) {
    const job = readJob(own)
    const source = sources.get(name)
    if (!job || source?.etag !== own.findLast(({ type }) => type === 'object').etag) continue
    const { uploadId, journal, listed } = await provedOf(job, to, prefix.to + name)
    parts.set(uploadId, new Set([...journal, ...listed]))
  }
  return { there: new Set(there.map(name => prefix.to + name)), parts }
}

/**
 * The objects of a prefix that a job has copied and proved, as far as its journal and both lists tell. Pure.
 *
 * @param {any[]} facts of its journal, newest last
 * @param {object} found
 * @param {Map<string, any>} found.sources listed objects by name
 * @param {Map<string, any>} found.copies likewise
 * @param {boolean} found.full whether the job runs with `--verify full`
 * @param {boolean} [found.checks] whether the destination checks what it receives
 * @param {Set<string>} found.reported names that the last command reported as copied, if it ended by itself
 * @returns {string[]} names
 */
function copiedNames(facts, { sources, copies, full, checks, reported }) {
  const began = secondOf(facts.find(({ type }) => type === 'job').at)
  const unsure = unsureOf(facts)
  const isCopied = (/** @type {string} */ name, /** @type {any} */ copy) => {
    // A command that ends between a write and its proof (an answer that had not come, an object that was not read back) names
    // the object in the journal, and the next one copies it again, however new it is. What that command reported as copied was
    // proved: it must not be named.
    if (unsure.has(name) && !reported.has(name)) return false
    const source = sources.get(name)
    if (source?.bytes !== copy.bytes) return false
    const [modified, written] = [secondOf(source.lastModifiedMs), secondOf(copy.lastModifiedMs)]
    // Nothing shows that it was read back before the command was killed.
    if (full) return false
    // What is the same is the job's.
    if (written >= began && source.etag === copy.etag && modified <= written) return true
    // Clocks are known to a second or two, and a source may have been replaced while it was copied: what was modified less
    // than seven seconds before it was written may be copied again.
    return checks && written > began + 1 && modified + 6 < written
  }
  return [...copies].filter(([name, copy]) => isCopied(name, copy)).map(([name]) => name)
}

/** Names of what may be wrong at the destination. @param {any[]} facts newest last @returns {Set<string>} */
function unsureOf(facts) {
  /** @type {Set<string>} */
  const names = new Set()
  for (const { type, name, unsure } of facts) {
    if (type === 'failed' && unsure) names.add(name)
    else if (type === 'over') names.delete(name)
  }
  return names
}

/** The facts of each object that is not over. @param {any[]} facts @returns {Map<string, any[]>} by name */
function objectsOf(facts) {
  /** @type {Map<string, any[]>} */
  const objects = new Map()
  for (const { type, name, fact } of facts) {
    if (type === 'of') objects.set(name, [...(objects.get(name) ?? []), fact])
    else if (type === 'over') objects.delete(name)
  }
  return objects
}

/** By name. @param {any} store @param {string} prefix @returns {Promise<Map<string, any>>} */
async function listed(store, prefix) {
  const { entries } = await all(marker => insist(() => store.list({ prefix, marker })), 'objects')
  return new Map(entries.map(entry => [entry.key.slice(prefix.length), entry]))
}

/** @param {number} ms */
const secondOf = ms => Math.floor(ms / 1000)

const TRIES = 30

/** The stores fail the soak's own questions too. @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
async function insist(ask) {
  for (let left = TRIES; ; left--) {
    try {
      return await ask()
    } catch (error) {
      const { retryable, throttled } = /** @type {any} */ (error)
      if (left === 0 || !(retryable || throttled)) throw error
    }
  }
}

module.exports = { copiedNames, provedParts, provedOfPrefix, jobFiles, insist }
