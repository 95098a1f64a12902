'use strict'

/** What the journal of a job has proved, read with nothing of xfer's own but its lines. */

const { readdir, readFile } = require('node:fs/promises')
const { join } = require('node:path')
const { crc32 } = require('node:zlib')

/** @param {string} state XDG_STATE_HOME @returns {Promise<string[]>} paths of everything that is kept of jobs */
async function jobFiles(state) {
  const entries = await readdir(state, { recursive: true, withFileTypes: true }).catch(error => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

/** @param {string} state XDG_STATE_HOME @returns {Promise<string[]>} the lines of each job */
async function textsIn(state) {
  const paths = (await jobFiles(state)).filter(path => path.endsWith('.journal'))
  return await Promise.all(paths.map(path => readFile(path, 'utf8')))
}

/** @param {string} text @returns {any[]} the facts whose checksum is right */
function factsOf(text) {
  return text.split('\n').flatMap(line => {
    const json = line.slice(9)
    return Number.parseInt(line.slice(0, 8), 16) === crc32(json) && json !== '' ? [JSON.parse(json)] : []
  })
}

/** The facts of each object that is not over; those of a single one are not wrapped. @param {any[]} facts @returns {any[][]} */
function objectsOf(facts) {
  const objects = new Map([['', facts]])
  for (const { type, name, fact } of facts) {
    if (type === 'of') objects.set(name, [...(objects.get(name) ?? []), fact])
    else if (type === 'over') objects.delete(name)
  }
  return [...objects.values()]
}

/** @param {any} part whether the destination's sums of it are ours, as far as both are known: else it was damaged, or is tried again */
const isGood = ({ etag, sums = {}, answered = {} }) =>
  (sums.md5 === undefined || etag === undefined || etag === `"${sums.md5}"`) &&
  Object.keys(sums).every(name => answered[name] === undefined || answered[name] === sums[name])

/** @param {string[]} texts of journals @returns {Map<string, Set<number>>} by upload, the parts that are never to be copied again */
function provedParts(texts) {
  /** @type {Map<string, Set<number>>} */
  const proved = new Map()
  for (const text of texts) {
    for (const facts of objectsOf(factsOf(text))) {
      const upload = facts.findLast(({ type }) => type === 'upload')
      const isGone = facts.some(({ type, upload: id }) => type === 'gone' && id === upload?.id)
      const parts = facts.filter(one => one.type === 'part' && one.upload === upload?.id && isGood(one))
      if (upload && !isGone) proved.set(upload.id, new Set(parts.map(({ partNumber }) => partNumber)))
    }
  }
  return proved
}

module.exports = { jobFiles, provedParts, textsIn }
