'use strict'

/** `--manifest`: the objects that the rows of a manifest name. What a row says of its object spares the list, and the HEAD. */

const { XferError, asXferError, usage } = require('../errors')
const { look } = require('../destination')
const { openManifest } = require('../inventory')
const { notice } = require('../notices')
const { asPinnedError, checkPinned } = require('./pinned')

/** @typedef {import('../types').ListedObject} ListedObject */
/** at: the place of its row, as a name of `createCursors`. @typedef {{ name: string, at: string, source?: ListedObject, destination?: ListedObject, error?: import('../types').XferError }} RowPair */

/** Objects looked up at once. */
const AT_ONCE = 64
/** More rows than a file has: the place of a row is the number of its file times this, and its own number. */
const MOST_ROWS = 10 ** 10
const DIGITS = 16
/** In order, as places are. @param {number} place */
const nameOf = place => String(place).padStart(DIGITS, '0')

/**
 * Makes steps as `walk` does. Its ranges are of rows, by their places.
 *
 * @param {object} how
 * @param {import('../job/open').Job} how.job
 * @param {import('../types').JobWish} how.options
 * @param {Pick<import('./selection').Selection, 'byTime'>} how.selection
 * @param {Array<{ id: number, after?: string, until?: string }>} how.ranges
 * @param {boolean} how.compares whether to look up the destination's objects too
 */
async function* rowSteps({ job, options, selection, ranges, compares }) {
  const { source, destination, run } = job
  const signal = /** @type {AbortSignal} */ (run.cancel)
  const { bucket } = source.store.facts
  const open = ranges
    .map(({ id, after = 0, until = Number.POSITIVE_INFINITY }) => ({ id, after: Number(after), until: Number(until) }))
    .sort((one, other) => one.after - other.after)
  const leftOut = { outside: 0, old: 0, markers: 0 }

  /**
   * @param {import('../inventory/rows').Row} row
   * @param {number} place
   * @param {string} file
   * @returns {RowPair | undefined} undefined: it is left out
   */
  function pairOf(row, place, file) {
    const { left, key, name, bucket: of } = row
    if (left === 'old') leftOut.old++
    else if (left === 'marker') leftOut.markers++
    else if (!left && key !== undefined && !key.startsWith(source.key)) leftOut.outside++
    else if (!left) {
      const below = name ?? /** @type {string} */ (key).slice(source.key.length)
      const at = nameOf(place)
      if (of === undefined || of === bucket) {
        const { bytes = -1, etag = '', versionId, lastModifiedMs, storageClass } = row
        const known = { bytes, etag, versionId, lastModifiedMs, storageClass }
        return { name: below, at, source: { key: source.key + below, ...known, pinned: true } }
      }
      const reason = `it is of the bucket ${of}, and SRC is in ${bucket}`
      if (place === 1) throw usage(`Row 1 of ${file}: ${reason}.`, 'Give the place of these objects as SRC.')
      return { name: below, at, error: new XferError('BAD_MANIFEST', { file, row: place % MOST_ROWS, reason }) }
    }
    return undefined
  }

  /** Whether its row says all that has to be known. @param {RowPair} pair */
  const isTold = ({ source: listed }) =>
    listed === undefined ||
    (listed.bytes >= 0 && listed.etag !== '' && !(selection.byTime && listed.lastModifiedMs === undefined))

  /** @param {RowPair} pair @returns {Promise<RowPair>} */
  async function ask(pair) {
    const { name, at, source: listed } = pair
    if (!listed) return pair
    const { key, versionId, ...row } = listed
    try {
      const [from, to] = await Promise.all([
        isTold(pair) ? undefined : source.store.head(key, { signal, versionId }),
        compares ? look({ store: destination.store, key: destination.key + name }, signal) : undefined,
      ])
      if (from) checkPinned(row.bytes < 0 ? { ...listed, bytes: from.bytes } : listed, from)
      const { bytes, etag, lastModifiedMs } = { ...row, ...from }
      return {
        ...{ name, at, source: { ...listed, bytes, etag, lastModifiedMs } },
        ...(to?.object && { destination: { key: destination.key + name, ...to.object } }),
      }
    } catch (cause) {
      return { name, at, error: asPinnedError(listed, asXferError(cause)) }
    }
  }

  /** @param {number} range @param {RowPair[]} pairs @param {number} through */
  async function* stepsOf(range, pairs, through) {
    const type = /** @type {const} */ ('pairs')
    const asks = compares || !pairs.every(isTold)
    for (let i = 0; asks && i < pairs.length; i += AT_ONCE) {
      const found = await Promise.all(pairs.slice(i, i + AT_ONCE).map(ask))
      yield { type, range, pairs: found, through: /** @type {RowPair} */ (found.at(-1)).at }
    }
    yield { type, range, pairs: asks ? [] : pairs, through: nameOf(through) }
  }

  const manifest = await openManifest(/** @type {string} */ (options.manifest), {
    ...{ options, digest: options.namesDigest, cancel: signal },
    source: { text: source.plain, bucket },
  })
  try {
    for (const [i, file] of manifest.files.entries()) {
      const before = i * MOST_ROWS
      const wanted = open.filter(({ after, until }) => after < before + MOST_ROWS && until > before)
      let range = wanted.shift()
      if (!range) continue
      const opened = await file.open()
      try {
        for await (const { first, rows } of file.rows(opened, range.after - before + 1)) {
          /** @type {RowPair[]} */
          let pairs = []
          for (const [at, row] of rows.entries()) {
            const place = before + first + at
            if (place > range.after) {
              const pair = pairOf(row, place, file.name)
              if (pair) pairs.push(pair)
              if (place === range.until || at === rows.length - 1) {
                yield* stepsOf(range.id, pairs, place)
                pairs = []
              }
            }
            if (place === range.until) range = wanted.shift()
            if (!range) break
          }
          if (!range) break
        }
      } finally {
        await opened.handle.close()
      }
    }
  } finally {
    await manifest.close()
  }
  for (const { id } of open) yield { type: /** @type {const} */ ('end'), range: id }
  if (leftOut.outside + leftOut.old + leftOut.markers > 0) {
    run.emit(notice('ROWS_LEFT_OUT', { ...leftOut, location: source.text }))
  }
}

module.exports = { rowSteps }
