'use strict'

/** Which objects of a prefix are copied, skipped and deleted: reads and checks the options, and judges each pair of objects. */

const { createHash } = require('node:crypto')
const { constants, createReadStream } = require('node:fs')
const { access, stat } = require('node:fs/promises')
const { dirname, resolve } = require('node:path')
const { XferError, usage } = require('../errors')
const { journalFolder } = require('../journal')
const { notice } = require('../notices')
const { asPrefixOptions, differingOptions, flagsOf, namersOf, readerOf } = require('../options')
const { createFilter, decide, unreadableNames } = require('./select')
const { createStateFilter, isForeign, isOneSided } = require('./keys')

/** @typedef {import('../types').JobWish} JobWish */
/** @typedef {import('../types').ListedObject} ListedObject */
/** @typedef {import('../types').Verdict} Verdict */
/** @typedef {ReturnType<typeof readSelection>} Selection */
/** @typedef {Pick<import('../job/open').Side, 'store' | 'key'> & { place?: string, settings?: import('../stores/contract').StoreSettings & { followLinks?: boolean } }} PrefixEnd of a prefix */
/** @typedef {import('./select/filter').Rule} Rule */

/** @type {import('../types').Decision} */
const TAKEN = { action: 'copy', why: 'all' }

/** Smaller differences between two products of decimal fractions are rounding errors. */
const ROUNDING = 1e-12

/**
 * @param {JobWish} options
 * @param {{ now?: () => number, source?: PrefixEnd, destination?: PrefixEnd, run?: Pick<import('../job/contract').Run, 'journal'> }} [of] now:
 *   epoch milliseconds; absent sides: the options are only checked, or one side alone is judged
 * @throws {XferError} USAGE
 */
function readSelection(options, { now = Date.now, source: from, destination: to, run } = {}) {
  const {
    filters = [],
    filesFrom0,
    manifest,
    failures,
    ifMatch,
    expectSha256,
    maxDelete,
    move: moves = false,
  } = options
  const {
    ignoreExisting = false,
    update = false,
    sizeOnly = false,
    checksum = false,
    delete: deletes = false,
  } = options
  const [namer, other] = namersOf(options)
  const filesFrom = namer?.file
  const read = readerOf('sync', options, { now })
  const mode = readerOf('copy', options)('recursive') ?? 'copy'
  refuse(mode === 'copy' && deletes, '--delete works only with xfer sync.', 'Use xfer sync, which compares both sides.')
  refuse(
    maxDelete !== undefined && !deletes,
    '--max-delete works only with xfer sync --delete; this command deletes nothing.',
    'Leave it out, or give --delete as well.',
  )
  const ofOne = ifMatch !== undefined ? '--if-match' : '--expect-sha256'
  refuse(
    (ifMatch ?? expectSha256) !== undefined,
    `${ofOne} works only with one object; this command is about a prefix.`,
    'Leave it out, or copy the object by itself.',
  )
  refuse(
    mode === 'copy' && (sizeOnly || checksum),
    '--size-only and --checksum work only with xfer sync.',
    'Use xfer sync, or --ignore-existing.',
  )
  refuse(sizeOnly && checksum, '--size-only and --checksum cannot be used together.', 'Give only one of them.')
  refuse(
    deletes && filesFrom !== undefined,
    `--delete and ${namer?.flag} cannot be used together: --delete needs a complete listing.`,
    'Give only one of them.',
  )
  refuse(other !== undefined, `${namer?.flag} and ${other?.flag} cannot be used together.`, 'Give only one of them.')
  refuse(
    moves && manifest !== undefined,
    '--manifest works only with xfer copy -r and xfer sync.',
    'Copy, and delete the sources with xfer rm once the copies are checked.',
  )
  refuse(
    moves && from?.settings?.followLinks === true,
    '--follow-links cannot be used with a move: what a link leads to may be moved before it.',
    'Copy, and delete the sources with xfer rm once the copies are checked.',
  )
  const ages = { newerThanMs: read('newerThan'), olderThanMs: read('olderThan') }
  const sizes = { minBytes: read('minSize'), maxBytes: read('maxSize') }
  refuse(
    Number(ages.newerThanMs) >= Number(ages.olderThanMs),
    'No object can be modified after --newer-than and before --older-than, as they are given.',
    'Give --newer-than the earlier of both times, such as the greater age.',
  )
  refuse(
    Number(sizes.minBytes) > Number(sizes.maxBytes),
    'No object can be as large as --min-size and as small as --max-size, as they are given.',
    'Give --max-size the larger of both sizes.',
  )
  const keeps = createFilter({ rules: filters, prefix: from?.key, ...ages, ...sizes })
  /** Whether there is anything to filter by: most jobs have nothing. */
  const selects = filters.length > 0 || Object.values({ ...ages, ...sizes }).some(limit => limit !== undefined)
  // `xfer rm` has no job, and leaves no journal out.
  const home = run && dirname(journalFolder(options.env ?? process.env).folder)
  const isOfState = createStateFilter([from, to], { stateAt: run?.journal?.stateAt, home })
  const compares = mode === 'sync' || ignoreExisting || update
  const keeping = { keepsTimes: to?.store.can.keepsTimes, notesTimes: from?.store.can.keepsTimes }
  const how = { mode, ignoreExisting, update, sizeOnly, checksum, deletes, ...keeping }
  return {
    mode,
    deletes,
    mostDeleted: readMostDeleted(read('maxDelete')),
    /** The file that names the objects, of whichever option. */
    filesFrom,
    nul: filesFrom0 !== undefined,
    manifest,
    /** Whether the time of an object decides. */
    byTime: mode === 'sync' || update || ages.newerThanMs !== undefined || ages.olderThanMs !== undefined,
    failures,
    /** Whether the destination has to be listed. */
    compares,
    /** Whether the first filter includes names: nothing was left out before, so it changes nothing. */
    includesFirst: filters.length > 0 && 'include' in filters[0],
    /** The filters that have matched no name so far. */
    unmatched: keeps.unmatched,
    /** Whether they leave out all that is below a folder. */
    skips: keeps.excludesBelow,

    /**
     * Objects that the filters exclude are ignored on both sides: they are neither copied nor deleted.
     *
     * @param {{ name: string, source?: ListedObject, destination?: ListedObject }} pair
     * @param {import('./select/decide').Clocks} [clocks]
     * @returns {Verdict}
     */
    judge({ name, source, destination }, clocks) {
      const object = source ?? destination
      const isFolder = source?.cause !== undefined && name.endsWith('/')
      const filtered = isFolder ? keeps.excludesBelow(name) : !object || (selects && !keeps(name, object))
      if (filtered || isOfState?.(name)) return { action: 'skip', why: 'left out', filtered: true }
      // It would be in the way at the destination, or belongs to a folder that the source has otherwise.
      const mark =
        from &&
        to &&
        (source
          ? source.marksFolder && isForeign(to)
          : isOneSided({ name, destination }, { source: from, destination: to }))
      // What has bytes is no copy of a mark.
      const isExtra = mark && deletes && source && destination && destination.bytes > 0
      if (mark) return isExtra ? { action: 'delete', why: 'extra' } : { action: 'skip', why: 'folder-mark' }
      // Without a comparison the destination is listed only to resume.
      const decision = source && !compares ? TAKEN : decide({ source, destination }, how, clocks)
      // An equal object at the destination is moved already: the source alone is left to delete.
      const maybeMoved = moves && source && destination && source.bytes === destination.bytes
      return maybeMoved ? { ...decision, action: 'compare' } : decision
    },
  }
}

/**
 * How much `--delete` may delete: without `--max-delete` at most half, if there are more than 100 objects.
 *
 * @param {{ count: number } | { percent: number } | undefined} given the value of `--max-delete`; percent: of the
 *   destination's objects that pass the filters
 * @returns {{ text: string, of: (chosen: number) => number }} text: what is more, the end of a sentence; of: the most, of
 *   so many objects of the destination that pass the filters
 */
function readMostDeleted(given) {
  if (given === undefined) {
    return { text: 'more than half of them', of: chosen => (chosen > 100 ? chosen / 2 : Number.POSITIVE_INFINITY) }
  }
  if ('count' in given) {
    return { text: `more than the ${given.count.toLocaleString('en-US')} of --max-delete`, of: () => given.count }
  }
  const { percent } = given
  return { text: `more than the ${percent}% of --max-delete`, of: all => ((percent * all) / 100) * (1 + ROUNDING) }
}

/** @param {boolean} wrong @param {string} text @param {string} advice */
function refuse(wrong, text, advice) {
  if (wrong) throw usage(text, advice)
}

/**
 * Nothing was found, which is mostly a mistake: the user is told what was perhaps meant.
 *
 * @param {Pick<import('../job/open').Job, 'source' | 'run'> & { destination?: { text: string } }} job of the prefix
 * @param {Partial<Pick<Selection, 'filesFrom' | 'deletes'>> & { removes?: boolean }} selection removes: by `xfer rm`
 * @param {import('../types').ObjectCounts} [objects] for the error
 * @throws {XferError} NOTHING_FOUND
 */
async function judgeNothing({ source, destination, run }, { filesFrom, deletes, removes }, objects) {
  if (filesFrom !== undefined) return run.emit(notice('NOTHING_FOUND', { filesFrom }))
  const { store, key, text } = source
  const name = key.slice(0, -1)
  const found = name !== '' && (await store.head(name, { signal: run.cancel }).catch(() => undefined))
  // An object of that key, or a prefix that looks like a pattern.
  const isFile = store.facts?.terms?.container === 'folder'
  const meant = found
    ? { object: text.slice(0, -1), ...(isFile && { isFile }) }
    : /[*?[]/.test(key) && { pattern: true }
  const of = { source: text, destination: destination?.text, deletes, removes }
  throw new XferError('NOTHING_FOUND', { ...of, objects, ...meant })
}

/**
 * Names the filters that matched nothing, and says if they left nothing. To be called when every name was judged by this run.
 *
 * @param {Pick<import('../job/open').Job, 'source' | 'run'>} job of the prefix
 * @param {Pick<Selection, 'filesFrom' | 'unmatched'>} selection
 * @param {{ listed: number, filtered: number, failed: number }} counts
 * @returns {Rule[]} the filters that matched no name
 */
function judgeFilters({ source, run }, selection, counts) {
  const rules = tellUnmatched(run, unmatchedOf(selection, counts))
  tellLeftOut({ source, run }, counts)
  return rules
}

/** A name of --files-from that failed to be looked up was not judged. @param {Pick<Selection, 'filesFrom' | 'unmatched'>} selection @param {{ listed: number, failed: number }} counts */
const unmatchedOf = ({ filesFrom, unmatched }, { listed, failed }) =>
  listed === 0 || (filesFrom !== undefined && failed > 0) ? [] : unmatched()

/** @param {Pick<import('../job/contract').Run, 'emit'>} run @param {ReturnType<Selection['unmatched']>} found @returns {Rule[]} */
function tellUnmatched({ emit }, found) {
  if (found.length > 0) {
    const meant = found.flatMap(({ meant }) => (meant ? [flagOfRule(meant)] : []))
    emit(notice('FILTERS_UNMATCHED', { filters: found.map(({ rule }) => flagOfRule(rule)), meant }))
  }
  return found.map(({ rule }) => rule)
}

/** @param {Pick<import('../job/open').Job, 'source' | 'run'>} job @param {{ listed: number, filtered: number }} counts */
function tellLeftOut({ source, run }, { listed, filtered }) {
  if (listed > 0 && filtered === listed) run.emit(notice('NOTHING_FOUND', { location: source.text, objects: listed }))
}

/** @param {Rule} rule */
const flagOfRule = rule => flagsOf({ filters: [rule] })

/** The options of a job over a prefix, and the files that they name. */

/**
 * The options of a copy of a prefix, once the files that they name have been checked.
 *
 * @param {JobWish} given
 * @returns {Promise<JobWish & { recursive: NonNullable<JobWish['recursive']> }>} recursive: the journal tells by it that the job is of a
 *   prefix
 * @throws {import('../types').XferError} USAGE
 */
async function prepareOptions(given) {
  const options = { ...asPrefixOptions(given), recursive: given.recursive ?? 'copy' }
  await checkFiles(readSelection(options))
  return { ...options, ...(await identifiedBy(options)) }
}

/** What a resumed job may be given as well, or do without where its journal is from elsewhere. */
const AS_WELL = ['--delete', 'xfer mv -r']

/**
 * Of a job that is resumed. A job keeps its selection and its proof: what is left of it would else be too little. Deletions may be asked for as well.
 *
 * @param {import('../types').JobState} state
 * @param {import('../types').JobWish} merged its options, with those given now on top
 * @throws {XferError} USAGE
 */
async function checkResumed({ id, options }, merged) {
  const [given] = namersOf(merged)
  await checkFiles({ ...merged, filesFrom: given?.file })
  const again = { ...merged, ...(await identifiedBy(merged)) }
  const [namer] = namersOf(options.select)
  const namesUnknown = options.select?.namesDigest === undefined && given?.flag === namer?.flag
  const differing = differingOptions(options, again).filter(
    flag => !AS_WELL.includes(flag) && !(flag === namer?.flag && namesUnknown),
  )
  if (differing.length === 0) return
  if (differing.includes(namer?.flag)) {
    throw usage(
      `The names in ${given?.file} are not those with which the job ${id} began.`,
      `Give the file with these names as ${namer.flag}; xfer abort ${id} gives the job up.`,
    )
  }
  throw usage(
    `The job ${id} was begun with other options: ${differing.join(', ')}.`,
    'Leave them out, or give them to xfer copy -r or xfer sync: that is a job of its own.',
  )
}

/**
 * What a job knows its names by.
 *
 * @param {JobWish} options
 * @returns {Promise<Pick<JobWish, 'manifest' | 'namesDigest'>>} manifest: with an absolute path, if it is a file
 */
async function identifiedBy({ manifest: given, ...options }) {
  if (given === undefined) return { namesDigest: await digestNames(namersOf(options)[0]?.file) }
  const { digestManifest, isLocation } = require('../manifest')
  const manifest = isLocation(given) ? given : resolve(given)
  return { manifest, namesDigest: await digestManifest(manifest, options) }
}

/**
 * The digest of a file of names, by which a job knows them again.
 *
 * @param {string} [file] of `--files-from`
 * @returns {Promise<string | undefined>} SHA-256 in hex; undefined without a file, and of standard input or a pipe, which can
 *   be read only once
 * @throws {XferError} USAGE
 */
async function digestNames(file) {
  if (file === undefined || file === '-') return undefined
  try {
    if (!(await stat(file)).isFile()) return undefined
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk)
    return hash.digest('hex')
  } catch (cause) {
    throw unreadableNames(file, cause)
  }
}

/**
 * @param {{ filesFrom?: string, manifest?: string, failures?: string }} files filesFrom: of whichever option
 * @throws {XferError} USAGE
 */
async function checkFiles({ filesFrom, manifest, failures }) {
  if (filesFrom !== undefined && filesFrom !== '-' && manifest === undefined) {
    await checkFile(filesFrom, constants.R_OK).catch(cause => {
      throw unreadableNames(filesFrom, cause)
    })
  }
  if (failures !== undefined) {
    await checkFile(failures, constants.W_OK)
      .catch(async cause => {
        if (cause.code !== 'ENOENT') throw cause
        await access(dirname(failures), constants.W_OK)
      })
      .catch(cause => {
        const text = `The file ${failures} cannot be written (${cause.code ?? cause.message}).`
        const advice = 'Give --failures another file, or correct its permissions.'
        throw new XferError('USAGE', { text, advice }, { cause })
      })
  }
  if (filesFrom !== undefined && failures !== undefined && (await isSameFile(filesFrom, failures))) {
    throw new XferError('USAGE', {
      text: `--files-from and --failures name the same file (${failures}), which would be emptied before it is read.`,
      advice: 'Give --failures another file.',
    })
  }
}

/** Whether two paths lead to the same file. @param {string} one @param {string} other */
async function isSameFile(one, other) {
  const [a, b] = await Promise.all([one, other].map(path => stat(path, { bigint: true }).catch(() => undefined)))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino && a.isFile()
}

/** @param {string} path @param {number} mode */
async function checkFile(path, mode) {
  if ((await stat(path)).isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' })
  await access(path, mode)
}

module.exports = {
  judgeFilters,
  judgeNothing,
  readSelection,
  checkFiles,
  checkResumed,
  prepareOptions,
  tellLeftOut,
  tellUnmatched,
  unmatchedOf,
}
