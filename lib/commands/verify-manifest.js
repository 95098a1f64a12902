'use strict'

/**
 * `xfer verify --manifest`: what a destination is compared with are the lines of a manifest, in place of a source. Each is proved
 * by what the store keeps of the object, or by reading it; then the names of the destination are listed for those that the
 * manifest does not have.
 */

const { createHash, randomBytes, randomInt } = require('node:crypto')
const { CRCS, compareStored, compareSums, plainMd5Of, sameDigest, sameEtag, sumsOfParts } = require('../integrity')
const { XferError, usage } = require('../errors')
const { openAlone, runJob } = require('../job')
const { walk } = require('../listing')
const { openAt, openBeside, openSealed, readKey } = require('../manifest')
const { checkArguments, readerOf } = require('../options')
const { compareObjects, createTable } = require('../many')
const { rangesOf, readRanges } = require('../verify')

/** @typedef {import('../verify/compare').ComparedSide} ComparedSide */
/** from: the ETag of what the object was copied from @typedef {ComparedSide & { object: { from?: string, replica: boolean } }} LineSide */
/** @typedef {[line: LineSide, side: ComparedSide]} Sides */

/**
 * @param {string} path of the manifest, or its location
 * @param {import('../types').VerifyManifestOptions} [options]
 * @returns {Promise<import('../types').PrefixVerification>}
 * @throws {import('../types').XferError} SEAL_BROKEN, MANIFEST_INCOMPLETE; as `verifyPrefix`
 */
async function verifyManifest(path, options = {}) {
  return await runJob(options, async (given, { begin, emit }) => {
    const { at, publicKey, sample: _, read, oneWay, onEvent, ...rest } = given
    if (typeof path !== 'string') throw usage('verifyManifest: the manifest is no path.', 'Give the path of its file.')
    checkArguments('verifyManifest', { destination: at }, given, { optional: true })
    const sample = readerOf('verify', given)('sample')
    const key = publicKey === undefined ? undefined : readKey('--public-key', publicKey)
    const how = { options: rest, cancel: rest.signal ?? new AbortController().signal }
    const file = await openAt(path, how)
    /** @type {Awaited<ReturnType<typeof openSealed>> | undefined} */
    let manifest
    try {
      manifest = await openSealed(file, path, { key, beside: name => openBeside(path, name, how) })
      const { head, result, objects, batches: lines } = manifest
      // A prefix ends in a slash.
      const single = !head.destination.endsWith('/')
      const as = single ? 'object' : 'prefix'
      const opened = await openAlone(at ?? head.destination, rest, emit, { as, of: head.source })
      begin(opened)
      // What the manifest says of each object counts.
      const source = { store: { can: { sums: { checked: [...CRCS, 'md5'] } }, facts: {} }, key: '', text: path }
      const job = Object.freeze({ ...opened, source: /** @type {any} */ (source) })
      const comparison = createComparison({ lines, objects, sample, single, replica: at !== undefined })
      const equal = await compareObjects(job, given, comparison)
      const found = { ...equal, ...(sample !== undefined && { sampledOf: objects }) }
      if (result === 'done') return found
      const { pairs, methods } = found
      throw new XferError('MANIFEST_INCOMPLETE', { path, result, pairs, methods })
    } finally {
      await manifest?.close()
      await file.handle.close()
    }
  })
}

/**
 * @param {object} how
 * @param {() => AsyncGenerator<import('../types').ManifestLine[], void>} how.lines of the manifest, which was checked
 * @param {number} how.objects that its lines say to be there
 * @param {number} [how.sample] so many of them, drawn at random; absent: all, and what is there besides
 * @param {boolean} how.single whether it is of one object: nothing is listed
 * @param {boolean} how.replica whether the destination may be another one than that of the lines
 */
function createComparison({ lines, objects, sample, single, replica }) {
  const known = createTable()
  // So that nobody can choose a name that looks known.
  const salt = randomBytes(16)
  const hash = (/** @type {string} */ name) => createHash('sha256').update(salt).update(name).digest().readUIntBE(0, 6)
  let left = objects
  let wanted = Math.min(sample ?? objects, objects)

  /** Whether the next line is of the sample: each is as likely as any other. */
  function isDrawn() {
    const drawn = randomInt(left--) < wanted
    if (drawn) wanted--
    return drawn
  }

  /** @type {import('../many/verify').Instead['steps']} */
  async function* steps({ destination, run }) {
    for await (const some of lines()) {
      /** @type {any[]} */
      const pairs = []
      for (const { action, name, bytes, etag = '', source: from = {}, sums, why } of some) {
        if (action === 'delete') continue
        known.put(hash(name), 0)
        if (!isDrawn()) continue
        const said = { bytes, etag, ...(sums && { sums }), from: from.etag, replica }
        const source = { key: name, ...said, metadata: { headers: {}, user: {} } }
        if (bytes !== undefined && (etag !== '' || sums)) pairs.push({ name, source })
        else {
          const reason = `the manifest says no more of it than ${action} (${why})`
          const facts = { location: destination.text + name, reason, advice: ADVICE }
          pairs.push({ name, error: new XferError('NOT_PROVED', facts) })
        }
      }
      yield { type: 'pairs', pairs }
    }
    if (sample !== undefined || single) return
    for await (const step of walk({ source: destination, signal: run.cancel })) {
      if (step.type === 'odd') yield { ...step, side: 'destination' }
      if (step.type !== 'pairs') continue
      const added = step.pairs.filter(({ name }) => !known.has(hash(name)))
      yield { type: 'pairs', pairs: added.map(({ name, source }) => ({ name, destination: source })) }
    }
  }

  return { steps, prove, split, read }
}

const ADVICE = 'Compare the object with its source: xfer verify.'

/**
 * What a line says of the bytes. It does not say whether its object was encrypted, which makes the ETag no MD5: the object shows
 * that, or of a replica's the ETag of the source.
 *
 * @param {Sides} sides
 * @returns {import('../types').Sums}
 */
function saidOf([{ object, md5 }, side]) {
  const { sums, etag, from = '', replica } = object
  const isMd5 = !side.object.encrypted && (!replica || sameDigest(etag, from))
  return { ...(isMd5 && md5 !== undefined && { md5 }), ...sums }
}

/** @param {import('../types').Sums} sums */
const crcIn = sums => CRCS.find(sum => sums[sum] !== undefined)

/** @param {ComparedSide} side @param {'checksum' | 'bytes'} by @param {string} what @param {[said?: string, found?: string]} values */
function differs({ text }, by, what, [said, found]) {
  return new XferError('OBJECTS_DIFFER', { location: text, by, reason: `its ${what} is ${found}, and was ${said}` })
}

/**
 * What the store keeps of the object, as far as it proves that it is the one of the line.
 *
 * @param {Sides} sides
 * @returns {import('../types').PairMethod | undefined} undefined: it has to be read
 * @throws {XferError} OBJECTS_DIFFER
 */
function prove([line, side]) {
  const { object, reported } = side
  const said = saidOf([line, side])
  const other = compareSums(said, object.sums, [...CRCS, 'md5']).differs
  if (other) throw differs(side, 'checksum', other, [said[other], object.sums?.[other]])
  if (object.bytes === 0) return 'empty'
  const stored = compareStored(line.object, object)
  if (stored) return stored.method
  // That of a file is its size, its inode and a time, which can be set: other bytes may have the same, and the same bytes another.
  const kept = side.store.scheme !== 'file'
  // Without a checksum of the bytes it counts that the store says that it is the same object.
  if (!crcIn(said) && kept && sameEtag(line.object.etag, reported.etag)) return 'etag'
  // Another object has another ETag, whatever its bytes are.
  if (crcIn(said) || said.md5 !== undefined || line.object.replica || !kept) return undefined
  throw differs(side, 'checksum', 'ETag', [line.object.etag, reported.etag])
}

/** The ranges to read: an MD5 is that of the whole. @param {Sides} sides @param {number} chunkBytes */
function split([line, side], chunkBytes) {
  const { bytes } = side.object
  const ranges = rangesOf(bytes, crcIn(saidOf([line, side])) ? chunkBytes : Math.max(bytes, 1))
  return { ranges, usual: ranges, toRead: [side] }
}

/**
 * @param {import('../verify/read').ReadWork} work
 * @param {{ sides: Sides, split: ReturnType<typeof split>, emit: import('../job/contract').Run['emit'] }} how
 * @throws {XferError} OBJECTS_DIFFER
 */
async function read(work, { sides: [line, side], split: { ranges }, emit }) {
  const said = saidOf([line, side])
  const sum = crcIn(said) ?? 'md5'
  // Of a file that was skipped the source's ETag says something, if it is an MD5.
  const maybe = side.store.scheme === 'file' ? plainMd5Of(line.object.from ?? '') : undefined
  const expected = said[sum] ?? maybe
  const unproved = (/** @type {string} */ reason) =>
    new XferError('NOT_PROVED', { location: side.text, reason, advice: ADVICE })
  if (expected === undefined)
    throw unproved('the manifest has no checksum of it, so nothing that is read could be compared')
  const find = async () => {
    const [parts] = await readRanges(work, { objects: [side], ranges, sums: [sum], emit })
    return sumsOfParts(parts)[sum]
  }
  // One reading may be wrong.
  if ((await find()) === expected) return
  if (said[sum] === undefined)
    throw unproved('its MD5 is not the ETag of its source, and the manifest does not say that this is one')
  const found = await find()
  if (found !== said[sum]) throw differs(side, 'bytes', sum, [said[sum], found])
}

module.exports = { verifyManifest }
