'use strict'

/**
 * The objects that files name: `--files-from`, and the rows of a manifest (`--manifest`). Nothing is listed; each is looked up by HEAD,
 * unless its row says what there is to know.
 */

const { inBatches } = require('../async')
const { XferError, usage } = require('../errors')
const { look } = require('../destination')
const { openManifest } = require('../manifest')
const { notice } = require('../notices')
const { asPinnedError, checkPinned } = require('./keys')

/** @typedef {import('../types').ListedObject} ListedObject */
/** at: the place of its row, as a name of `createCursors`; error: why it cannot be looked up. @typedef {{ name: string, at?: string, source?: ListedObject, destination?: ListedObject, error?: import('../types').XferError }} NamedPair */

/** Objects looked up at once. */
const AT_ONCE = 64

/**
 * Makes steps as `walk` does, but without ranges: the names come in any order.
 *
 * @param {object} how
 * @param {import('../job/open').Job} how.job
 * @param {AsyncIterable<string> | Iterable<string>} how.names
 * @param {boolean} how.compares whether to look up the destination's objects too
 */
async function* namedSteps({ job, names, compares }) {
  const type = /** @type {const} */ ('pairs')
  for await (const batch of inBatches(names, AT_ONCE)) {
    const pairs = batch.map(name => ({ name, source: { key: job.source.key + name, bytes: -1, etag: '' } }))
    const how = { job, compares, isTold: () => false }
    yield { type, range: undefined, pairs: await Promise.all(pairs.map(pair => lookUp(pair, how))), through: undefined }
  }
}

/**
 * @param {NamedPair} pair with what is known of its source
 * @param {{ job: import('../job/open').Job, compares: boolean, isTold: (pair: NamedPair) => boolean }} how isTold: whether no more
 *   has to be known of its source
 * @returns {Promise<NamedPair>}
 */
async function lookUp(pair, { job: { source, destination, run }, compares, isTold }) {
  const { name, at, source: listed } = pair
  if (!listed) return pair
  const { key, versionId, pinned, ...known } = listed
  const signal = run.cancel
  try {
    const [from, to] = await Promise.all([
      isTold(pair) ? undefined : source.store.head(key, { signal, versionId }),
      compares ? look({ store: destination.store, key: destination.key + name }, signal) : undefined,
    ])
    if (from && pinned) checkPinned({ ...known, ...(known.bytes < 0 && { bytes: from.bytes }) }, from)
    const { bytes, etag, lastModifiedMs } = { ...known, ...from }
    return {
      name,
      at,
      source: pinned ? { ...listed, bytes, etag, lastModifiedMs } : { key, ...known, ...from },
      ...(to?.object && { destination: { key: destination.key + name, ...to.object } }),
    }
  } catch (cause) {
    return { name, at, error: withAdvice(name, asPinnedError({ pinned }, cause)) }
  }
}

/** Says that names are relative, if this one looks like a location. @param {string} name @param {import('../types').XferError} error */
function withAdvice(name, error) {
  if (error.code !== 'NO_SUCH_KEY' || !/^(?:[a-z][a-z0-9+.-]*:\/)?\//i.test(name)) return error
  return new XferError('NO_SUCH_KEY', { ...error.facts, absolute: true }, { cause: error })
}

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
  const { source, run } = job
  const signal = /** @type {AbortSignal} */ (run.cancel)
  const { bucket } = source.store.facts
  const left = ranges
    .map(({ id, after = 0, until = Number.POSITIVE_INFINITY }) => ({ id, after: Number(after), until: Number(until) }))
    .sort((one, other) => one.after - other.after)
  const leftOut = { outside: 0, old: 0, markers: 0 }

  /** @param {import('../manifest/rows').ManifestRow | undefined} row @param {number} place @param {string} file @returns {NamedPair[]} none: it is left out */
  function pairsOf(row, place, file) {
    if (!row) return []
    const { left, key, name = key?.slice(source.key.length) ?? '', bucket: of = bucket } = row
    const out = left ?? (key !== undefined && !key.startsWith(source.key) ? 'outside' : undefined)
    if (out) {
      leftOut[out]++
      return []
    }
    const at = nameOf(place)
    if (of === bucket) {
      const { bytes = -1, etag = '', versionId, lastModifiedMs, storageClass } = row
      const known = { bytes, etag, versionId, lastModifiedMs, storageClass }
      return [{ name, at, source: { key: source.key + name, ...known, pinned: true } }]
    }
    const reason = `it is of the bucket ${of}, and SRC is in ${bucket}`
    if (place === 1) throw usage(`Row 1 of ${file}: ${reason}.`, 'Give the place of these objects as SRC.')
    return [{ name, at, error: new XferError('BAD_MANIFEST', { file, row: place % MOST_ROWS, reason }) }]
  }

  /** Whether its row says all that has to be known. @param {NamedPair} pair */
  const isTold = ({ source: listed }) =>
    listed === undefined ||
    (listed.bytes >= 0 && listed.etag !== '' && !(selection.byTime && listed.lastModifiedMs === undefined))

  /** @param {number} range @param {NamedPair[]} pairs @param {number} through */
  async function* stepsOf(range, pairs, through) {
    const type = /** @type {const} */ ('pairs')
    const asks = compares || !pairs.every(isTold)
    for (let i = 0; asks && i < pairs.length; i += AT_ONCE) {
      const some = pairs.slice(i, i + AT_ONCE).map(pair => lookUp(pair, { job, compares, isTold }))
      const found = await Promise.all(some)
      yield { type, range, pairs: found, through: /** @type {string} */ (found[found.length - 1].at) }
    }
    yield { type, range, pairs: asks ? [] : pairs, through: nameOf(through) }
  }

  const manifest = await openManifest(/** @type {string} */ (options.manifest), {
    options,
    digest: options.namesDigest,
    cancel: signal,
    emit: run.emit,
    source: { plain: source.plain, bucket },
  })
  try {
    for (const [i, file] of manifest.files.entries()) {
      const before = i * MOST_ROWS
      const isWanted = () => left.length > 0 && left[0].after < before + MOST_ROWS
      if (!isWanted()) continue
      const opened = await file.open()
      try {
        for await (const { first, rows } of file.batches(opened, left[0].after - before + 1)) {
          const start = before + first
          const end = start + rows.length - 1
          while (isWanted() && left[0].after < end) {
            const { id, after, until } = left[0]
            const [from, through] = [Math.max(start, after + 1), Math.min(end, until)]
            const some = rows.slice(from - start, through - start + 1)
            const pairs = some.flatMap((row, at) => pairsOf(row, from + at, file.name))
            if (from <= through) yield* stepsOf(id, pairs, through)
            if (until > end) break
            left.shift()
          }
          if (!isWanted()) break
        }
      } finally {
        await opened.handle.close()
      }
      // A range ends in the file where it ended before.
      while (left.length > 0 && left[0].until < before + MOST_ROWS) left.shift()
    }
  } finally {
    await manifest.close()
  }
  for (const { id } of ranges) yield { type: /** @type {const} */ ('end'), range: id }
  if (leftOut.outside + leftOut.old + leftOut.markers > 0) {
    run.emit(notice('ROWS_LEFT_OUT', { ...leftOut, location: source.text }))
  }
}

module.exports = { namedSteps, rowSteps }
