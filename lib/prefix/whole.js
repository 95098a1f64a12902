'use strict'

/**
 * Small objects, each read whole and written in one PUT, many an invocation. Nothing is asked of the stores beside that:
 * what an object is like the function finds in the read's answer, and where that is other than was guessed, nothing is
 * written, and both requests are signed anew for what was found.
 */

const { isDeepStrictEqual } = require('node:util')
const { refusesConditions } = require('../condition')
const { XferError, asXferError } = require('../errors')
const { acceptGone, look } = require('../settle')
const { createDoubtful } = require('./doubtful')
const { createGuess } = require('./guess')
const { isLarge } = require('./large')
const { createReader } = require('./read')
const { createSamples } = require('./samples')
const { createWholeTask } = require('./whole-task')

/**
 * @typedef {object} Work
 * @property {string} name
 * @property {import('../types').ListedObject} source
 * @property {import('../types').ListedObject} [destination]
 * @property {import('./selection').Verdict} verdict
 * @property {(bytes: number) => void} moved
 * @property {() => void} restart what was moved was in vain
 * @property {boolean} roomy whether it has the room that its parts take
 *
 * @typedef {{ bytes: number, etag: string, crc32?: string, versionId?: string, proof: import('../types').Proof[] }} Copied
 *
 * An object as it is known now: from the list, from a HEAD, or from what a read said of it.
 * @typedef {object} Found
 * @property {number} bytes
 * @property {string} etag
 * @property {number} [lastModifiedMs]
 * @property {Record<string, string>} [headers] describing ones; absent: to be guessed
 * @property {number | undefined} [tags] absent: what the headers tell; undefined: nobody could be asked yet
 */

/** What a write was sent with. @typedef {Pick<import('./whole-task').How, 'checksum' | 'condition'> & Pick<import('./conceded').Sent, 'granted'>} Refused */

/** How often one is found to be another than it was a moment ago, before it is left. */
const MOST_CHANGES = 3
/** How often a source of which no two readings were alike is read anew. */
const MOST_READINGS = 3
/** What says that the source may be another one than was known, or none. */
const CHANGES = new Set(['SOURCE_CHANGED', 'NO_SUCH_KEY'])
const NO_CONDITIONS = 'The destination takes no conditions: each object is looked at just before it is written instead.'

/**
 * @param {object} how
 * @param {import('../job').Job} how.job
 * @param {import('./selection').Selection} how.selection
 * @param {ReturnType<typeof import('./numbers').withOwnNumbers>['scheduleOne']} how.scheduleOne
 * @param {ReturnType<typeof import('./told').createToldOnce>} how.tellOnce
 * @param {ReturnType<typeof import('./conceded').createConceded>} how.conceded
 * @param {ReturnType<typeof import('./kept').createKept>} how.kept
 */
function createWhole({ job, selection, scheduleOne, tellOnce, conceded, kept }) {
  const { source, destination, settings, stopping: signal } = job
  const proved = settings.proved
  const guess = createGuess()
  const samples = createSamples({ source, settings, signal }, guess)
  const condition = selection.ignoreExisting ? { ifNoneMatch: true } : settings.condition
  const copyOnce = createWholeTask({ job, scheduleOne, guess, samples, tellOnce })
  const reader = createReader({ scheduleOne })
  const settle = createDoubtful({ job, reader })
  /** What the stores were found to do, by the first objects. */
  const knows = { trailer: true, conditions: true }

  /** @param {Work} work @returns {Promise<Copied | 'skipped' | { now: Found }>} now: it has become a large one */
  async function copy({ name, source: listed }) {
    const to = destination.key + name
    if (to === '') throw new XferError('NO_NAME', { key: source.key })
    const place = { ...destination, key: to, text: destination.text + name }
    const done = await untilCopied(name, listed, place)
    if (done === 'skipped' || 'now' in done) return done
    await kept.look(place, done.granted, done.copied, signal)
    if (settings.verify !== 'full' || done.sent === undefined) return done.copied
    await reader.readBack(place, done.copied, done.sent)
    return { ...done.copied, proof: withReadBack(done.copied.proof) }
  }

  /**
   * @param {string} name
   * @param {import('../types').ListedObject} listed
   * @param {import('../job').Side} place of the copy
   * @returns {Promise<'skipped' | { now: Found } | import('./whole-task').Made>}
   */
  async function untilCopied(name, listed, place) {
    /** @type {Found | undefined} undefined: it is gone */
    let found = (await samples.first(name)) ?? listed
    if (!found.headers && (found.etag === '' || !guess.worthIt(found.bytes))) found = await ask(name)
    /** Where it is not what its ETag says, or what the source keeps of it: as another reading found it. @type {number | undefined} */
    let crc32
    /** Seldom, and very many objects are under way. @type {ReturnType<typeof createRefusals> | undefined} */
    let refusals
    for (let changes = 0, readings = 0; ; ) {
      // What was deleted since it was listed is not there to be copied.
      if (!found) return 'skipped'
      if (isLarge(found, settings)) return { now: found }
      const checksum = proved && knows.trailer && !refusals?.leaves.checksum
      const conditional = knows.conditions && !refusals?.leaves.condition
      const { grant } = refusals?.own ?? conceded
      const how = { checksum, md5: proved, crc32, grant, condition: conditional ? condition : {} }
      if (!conditional && (await look(place, signal)).object) return 'skipped'
      const done = await copyOnce(name, found, how)
      if ('copied' in done) {
        taken(done, how, refusals)
        return done
      }
      const { error, last, open, doubt } = done
      const { code } = error.code === 'PART_FAILED' ? asXferError(error.cause) : error
      const mine = code === 'DESTINATION_EXISTS' ? open : doubt !== undefined
      const settled = mine && (await settle(place, { name, found, doubt, error }))
      if (settled) {
        taken(last, how, refusals)
        return { ...settled, ...last }
      }
      refusals ??= createRefusals(place.text)
      refusals.writes.push({ ...how, granted: last.granted })
      if (code === 'TRAILER_REFUSED' && checksum) refusals.leaves.checksum = true
      else if (code === 'MD5_DIFFERS' && readings++ < MOST_READINGS) {
        // An ETag need not be an MD5, and a reading may be wrong: what is read twice alike is what the source has.
        crc32 = await readAgain(name, found)
        if (crc32 === undefined && ++changes < MOST_CHANGES) found = await ask(name)
      } else if (code === 'DESTINATION_EXISTS' && selection.ignoreExisting) return 'skipped'
      else if (code === 'HEADERS_DIFFER' && ++changes < MOST_CHANGES) found = await ask(name)
      else if (CHANGES.has(code) && ++changes < MOST_CHANGES) {
        // It was written since it was listed.
        found = await ask(name)
        crc32 = undefined
      } else if (code === 'UPLOAD_CONFLICT' && ++changes < MOST_CHANGES) {
        // Somebody else writes the key at this moment: the next answer tells what came of it.
      } else if (refusesConditions(error) && how.condition.ifNoneMatch) refusals.leaves.condition = true
      else {
        refusals.own.concede(error, last)
        // It need not have been these as well.
        refusals.leaves = { checksum: false, condition: false }
      }
    }
  }

  /** What is known of an object that was not taken. @param {string} text the destination, for people */
  function createRefusals(text) {
    return {
      own: conceded.of(text),
      /** What may be why, and is left out until something else is. */
      leaves: { checksum: false, condition: false },
      /** @type {Refused[]} */
      writes: [],
    }
  }

  /**
   * @param {import('./conceded').Sent} sent
   * @param {import('./whole-task').How} how
   * @param {ReturnType<typeof createRefusals>} [refusals]
   */
  function taken(sent, how, refusals) {
    conceded.taken(sent, refusals?.own)
    for (const refused of refusals?.writes ?? []) learn(refused, { ...how, granted: sent.granted })
  }

  /**
   * Where a write is refused, and taken without one thing alone, it is that which the destination does not know.
   *
   * @param {Refused} refused
   * @param {Refused} written
   */
  function learn(refused, written) {
    if (!isDeepStrictEqual(refused.granted, written.granted)) return
    const without = {
      checksum: refused.checksum && !written.checksum,
      condition: refused.condition.ifNoneMatch && !written.condition.ifNoneMatch,
    }
    if (without.checksum && !without.condition) knows.trailer = false
    if (without.condition && !without.checksum && knows.conditions) {
      knows.conditions = false
      tellOnce(NO_CONDITIONS, '')
    }
  }

  /** @param {string} name @param {Found} found @returns {Promise<number | undefined>} its CRC-32; undefined: it is another one by now */
  async function readAgain(name, found) {
    return await reader.read({ ...source, key: source.key + name }, found, 'SOURCE_CHANGED').catch(cause => {
      if (asXferError(cause).code !== 'SOURCE_CHANGED') throw cause
      return undefined
    })
  }

  /** @param {string} name @returns {Promise<Found | undefined>} undefined: it is gone */
  async function ask(name) {
    const found = await samples.ask(name).catch(acceptGone)
    if (!found) return undefined
    guess.was(isDeepStrictEqual(found.headers, guess.headers(name)))
    guess.learn(name, found.headers)
    return found
  }

  return { copy }
}

/** @param {import('../types').Proof[]} proof */
function withReadBack(proof) {
  return [...proof.filter(each => each !== 'size'), /** @type {const} */ ('read-back')]
}

module.exports = { createWhole }
