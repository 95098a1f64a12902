'use strict'

/** Compares two objects: by what their stores report, and by reading those whose store keeps no checksum, range by range. */

const { AGAIN } = require('../async')
const { XferError } = require('../errors')
const {
  keptMd5,
  isCrc,
  only,
  trustedHead,
  compareStored,
  CRCS,
  differenceOf,
  compareSums,
  hasCrc,
  sameCrcs,
  sumsOfParts,
  sumText,
} = require('../integrity')
const { notice } = require('../notices')
const { bytesIn, differing, rangesOf, readRanges, unlessPart } = require('./read')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */

/**
 * @typedef {import('./read').Reading & { text: string, object: ObjectHead, reported: ObjectHead, md5?: string, md5ByWriter?: true }} ComparedSide reported:
 *   as its store reports it; object: what of that can be trusted; md5: of the whole object; md5ByWriter: it may be only what the
 *   object's writer said
 */

/**
 * @param {Pick<ComparedSide, 'store' | 'key' | 'versionId' | 'text'>} place
 * @param {ObjectHead} reported
 * @returns {ComparedSide}
 */
function sideOf({ store, key, versionId, text }, reported) {
  // A checksum that the store is not known to check may be an echo of what was sent, and proves nothing.
  const object = trustedHead(reported, store.can)
  return { store, key, versionId, text, object, reported, ...knownMd5({ store, object, reported }) }
}

/** @param {Pick<ComparedSide, 'store' | 'object' | 'reported'>} side @returns {Pick<ComparedSide, 'md5' | 'md5ByWriter'>} */
function knownMd5({ store, object, reported }) {
  const known = keptMd5(object)
  if (known) return known.parts === undefined ? { md5: known.md5 } : {}
  const { md5 } = only(reported.sums, store.can.sums.byWriter ?? [])
  return md5 === undefined ? {} : { md5, md5ByWriter: true }
}

/** @param {ComparedSide[]} sides of equal size @returns {{ source: string, destination: string, bytes: number }} */
function factsOf([one, other]) {
  return { source: one.text, destination: other.text, bytes: one.object.bytes }
}

/** @param {ComparedSide[]} sides @throws {XferError} OBJECTS_DIFFER */
function checkSizes(sides) {
  const [bytes, others] = sides.map(({ object }) => object.bytes)
  if (bytes === others) return
  const { source, destination } = factsOf(sides)
  const reason = `one has ${bytes.toLocaleString('en-US')} bytes and the other ${others.toLocaleString('en-US')}`
  throw new XferError('OBJECTS_DIFFER', { source, destination, by: 'size', reason })
}

/**
 * What the stores keep of both objects, as far as it proves them equal. Parts of other sizes may have the same composite
 * checksum, so their sizes are asked for.
 *
 * @param {ComparedSide[]} sides of equal size
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('../integrity/source').StoredProof | undefined>} undefined: nothing proves it
 * @throws {XferError} OBJECTS_DIFFER if both stores have the same checksum of the full object, and they differ
 */
async function proveByStored([one, other], signal) {
  const difference = differenceOf(one.object.sums, other.object.sums, [...CRCS, 'md5'])
  if (difference) {
    const reason = `one keeps the ${difference.words} ${difference.one} and the other ${difference.other}`
    throw new XferError('OBJECTS_DIFFER', { source: one.text, destination: other.text, by: 'checksum', reason })
  }
  const stored = compareStored(one.object, other.object)
  if (!stored?.layout) return stored
  const [mine, theirs] = await Promise.all([askPartSize(one, signal), askPartSize(other, signal)])
  return mine && mine.bytes === theirs?.bytes && mine.parts === theirs.parts ? stored : undefined
}

/**
 * Equal MD5s of whole objects, also where one may be only what the object's writer said: a notice says that.
 *
 * @param {ComparedSide[]} sides of equal size
 * @param {(notice: import('../types').Notice) => void} emit
 * @returns {import('../integrity/source').StoredProof | undefined}
 */
function proveByMd5(sides, emit) {
  const [{ md5 }, other] = sides
  if (md5 === undefined || md5 !== other.md5) return undefined
  tellMd5s(sides, emit)
  return { method: 'stored-md5', value: md5, layout: false }
}

/** What to tell of MD5s that were compared. @param {ComparedSide[]} sides @param {(notice: import('../types').Notice) => void} emit */
function tellMd5s(sides, emit) {
  const said = sides.find(({ md5ByWriter }) => md5ByWriter)
  if (said) emit(notice('MD5_BY_WRITER', { location: said.text }))
}

/** The size of a part, for a proof; undefined: its store does not tell it. @param {Pick<ComparedSide, 'store' | 'key' | 'versionId'>} side @param {AbortSignal} [signal] @param {number} [partNumber] */
async function askPartSize({ store, key, versionId }, signal, partNumber) {
  return await store.partSize?.(key, { signal, partNumber, versionId }).catch(error => {
    if (signal?.aborted) throw error
    return undefined
  })
}

const REQUESTS_AT_ONCE = 16

/**
 * Whether evidence about a source that differs means anything. What is made of the checksums of parts differs, too, if the
 * object was uploaded in parts of other sizes. The store is asked for the size of each part, which costs less than reading the object for nothing. If the store does not
 * say, the sizes may be the same.
 *
 * @param {Pick<import('../integrity/source').SourceEvidence, 'by'>} evidence
 * @param {Pick<import('../job/contract').Side, 'store' | 'key' | 'versionId'>} side
 * @param {Array<{ bytes: number }>} parts in order; their number is known to be that of the object's
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<boolean>}
 */
async function isComparable({ by }, side, parts, signal) {
  const count = parts.length
  if (isCrc(by) || count === 1) return true
  /** @param {{ bytes: number }} part @param {number} index @returns {Promise<boolean | undefined>} undefined: the store does not say */
  const isOurs = async ({ bytes }, index) => {
    const found = await askPartSize(side, signal, index + 1)
    return found && found.bytes === bytes && found.parts === count
  }
  const known = await isOurs(parts[0], 0)
  // A store that does not say the size of the first part says none.
  if (!known) return known === undefined
  for (let at = 1; at < count; at += REQUESTS_AT_ONCE) {
    const asked = await Promise.all(parts.slice(at, at + REQUESTS_AT_ONCE).map((part, i) => isOurs(part, at + i)))
    if (asked.includes(false)) return false
  }
  return true
}

/**
 * The ranges to read. A file is read in one if all that is known of the other object is the MD5 of the whole: then the other
 * is not read.
 *
 * @param {ComparedSide[]} sides
 * @param {number} chunkBytes the usual size of a range
 * @param {{ both: boolean }} how both: whether both objects are read in any case
 * @returns {{ ranges: Part[], usual: Part[], toRead: ComparedSide[] }} usual: those of the usual size, which show where two objects
 *   differ; toRead: the objects to read
 */
function rangesToRead(sides, chunkBytes, { both }) {
  const { bytes } = sides[0].object
  const usual = rangesOf(bytes, chunkBytes)
  const files = sides.filter(({ store }) => store.can.reach === 'process')
  const other = sides.find(side => !files.includes(side))
  const inOne = !both && files.length === 1 && other?.md5 !== undefined && !hasCrc(other.object.sums)
  const ranges = inOne ? rangesOf(bytes, Math.max(bytes, 1)) : usual
  return { usual, ranges, toRead: both ? sides : unkept(sides, ranges) }
}

/**
 * The objects to read. One is enough if the other's checksum is kept: it is compared with that.
 *
 * @param {ComparedSide[]} sides
 * @param {Part[]} ranges
 */
function unkept(sides, ranges) {
  const without = sides.filter(({ object }) => !hasCrc(object.sums))
  // Both keep one, and not the same.
  if (without.length === 0) return sides.slice(1)
  const known = without.length === 2 && sides.find(side => md5Of(side, ranges) !== undefined)
  return known ? sides.filter(side => side !== known) : without
}

/** The MD5 that a reading can be compared with: those of ranges do not give that of the whole. @param {ComparedSide} side @param {Part[]} ranges */
function md5Of({ md5 }, ranges) {
  return ranges.length === 1 ? md5 : undefined
}

/** The checksums to compute: those that either store keeps. @param {ComparedSide[]} sides @returns {import('../types').Sum[]} */
function sumsFor(sides) {
  const kept = CRCS.filter(sum => sides.some(({ reported }) => reported.sums?.[sum] !== undefined))
  return kept.length > 0 ? kept : CRCS.slice(0, 1)
}

/**
 * @param {import('./read').ReadWork} work
 * @param {object} how
 * @param {ComparedSide[]} how.sides
 * @param {ReturnType<typeof rangesToRead>} how.split
 * @param {import('../job/contract').Run['emit']} how.emit
 * @returns {Promise<Pick<import('../types').Verification, 'sum' | 'value'>>} the checksum of both
 * @throws {XferError} OBJECTS_DIFFER
 */
async function compareByReading(work, { sides, split: { toRead, ranges, usual }, emit }) {
  const [known] = sides.filter(side => !toRead.includes(side))
  const md5 = known && !hasCrc(known.object.sums) ? md5Of(known, ranges) : undefined
  const sums = [...sumsFor(sides), ...(md5 === undefined ? [] : [/** @type {const} */ ('md5')])]
  /** @param {ComparedSide[]} objects @param {Part[]} some @param {import('../job/contract').Run['emit']} tell */
  const read = (objects, some, tell) => readRanges(work, { objects, ranges: some, sums, emit: tell })
  const found = await read(toRead, ranges, emit)
  if (known) {
    const computed = sumsOfParts(found[0])
    const { equal, differs } = compareSums(computed, { ...known.object.sums, md5 }, [...CRCS, 'md5'])
    const itself = compareSums(computed, toRead[0].reported.sums).differs
    if (equal.length > 0 && !differs && !itself) {
      if (equal[0] === 'md5') tellMd5s([known], emit)
      return checksumOf(computed, equal[0])
    }
  }
  // If one reading differs from the other's stored checksum, both are read: to find the range, and because a reading may be wrong.
  const [one, other] = toRead.length === 2 ? found : await read(sides, usual, unlessPart(emit))
  await compareRanges(sides, usual, [one, other], again => read(sides, again, unlessPart(emit)))
  const computed = sumsOfParts(one)
  for (const { text, reported } of sides) checkOwn(text, reported, computed)
  return checksumOf(computed)
}

/** @param {import('../types').Sums} sums @param {import('../types').Sum} [sum] default: the first of them */
function checksumOf(sums, sum = CRCS.find(each => sums[each] !== undefined) ?? 'crc32') {
  return { sum, value: sumText(sum, sums[sum]) }
}

/**
 * @param {ComparedSide[]} sides
 * @param {Part[]} ranges
 * @param {TaskSuccess[][]} found the results of both sides; corrected in place if a second reading differs
 * @param {(ranges: Part[]) => Promise<TaskSuccess[][]>} readAgain
 * @throws {XferError} OBJECTS_DIFFER
 */
async function compareRanges([{ text: source }, { text: destination }], ranges, found, readAgain) {
  const [first, second] = found
  for (const range of differing(ranges, first, second)) {
    const at = ranges.indexOf(range)
    for (let attempt = 0; !sameCrcs(found[0][at].sums, found[1][at].sums); attempt++) {
      if (attempt === AGAIN.DOUBTFUL_READING) {
        const { start, bytes } = range
        const reason = `the first difference is in ${bytesIn(range)}`
        const where = { reason, start, end: start + bytes - 1 }
        throw new XferError('OBJECTS_DIFFER', { source, destination, by: 'bytes', ...where })
      }
      for (const [side, [again]] of (await readAgain([range])).entries()) found[side][at] = again
    }
  }
}

/** Both readings are equal: compares them with the object's own stored checksum. @param {string} text @param {import('../types').ObjectHead} object @param {import('../types').Sums} found */
function checkOwn(text, { sums }, found) {
  const difference = differenceOf(sums, found)
  if (!difference) return
  const { words, one, other } = difference
  throw new XferError('OBJECTS_DIFFER', { location: text, sum: words, expected: one, found: other })
}

module.exports = {
  askPartSize,
  checkSizes,
  factsOf,
  isComparable,
  proveByMd5,
  proveByStored,
  sideOf,
  compareByReading,
  rangesToRead,
}
