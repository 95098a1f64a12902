'use strict'

/**
 * A journal from elsewhere is not trusted: one that was opened by a path outside the folder of journals, that another user
 * owns, or that others may write. It provides locations, parts, proofs and most options, but never a file of this machine, a
 * host that would get the platform's key, or deletions: the user has to give those again.
 */

const { OF_OWN_JOURNAL, flagsOf } = require('../options')
const { usage } = require('../errors')
const { notice } = require('../notices')
const { factoryOfText } = require('../stores')

/** @typedef {import('../types').JobOptions} JobOptions */
/** @typedef {import('../types').ResumeOptions} ResumeOptions */

/**
 * @param {import('../types').JobState} state of the journal
 * @param {ResumeOptions} given again
 * @returns {{ options: JobOptions, notice: import('../types').Notice }} options: without those that are not trusted
 * @throws {XferError} USAGE if a side is a file, or if an option that is not trusted is needed and was not given again
 */
function leaveFiles({ source, destination, options: kept }, given) {
  refuseFiles({ source, destination })
  const { select, ...rest } = kept
  const untrusted = [...OF_OWN_JOURNAL.job, ...OF_OWN_JOURNAL.select]
  const missing = Object.entries({ ...rest, ...select }).filter(
    ([name]) => untrusted.includes(name) && /** @type {any} */ (given)[name] === undefined,
  )
  const flags = flagsOf(Object.fromEntries(missing))
  const left = [flags, kept.move ? 'the deletion of what is moved' : ''].filter(Boolean).join(' and ')
  // Without it the job would copy other objects.
  if (select?.filesFrom !== undefined && given.filesFrom === undefined) {
    throw usage(
      `The job copies only what a file names, and a journal from elsewhere brings no files (${left}).`,
      'Look at what is in the file, and repeat what is meant of these options with xfer resume.',
    )
  }
  const ends = { source: placed(source, kept.source), destination: placed(destination, kept.destination) }
  return { options: withoutFiles(kept), notice: notice('JOURNAL_FROM_ELSEWHERE', { ...ends, left }) }
}

/**
 * @param {Pick<import('../types').JobState, 'source' | 'destination'>} ends of a journal from elsewhere
 * @throws {XferError} USAGE if one is a file
 */
function refuseFiles({ source, destination }) {
  const texts = [source, destination].flatMap(({ text, typed }) => [text, typed ?? text])
  const file = texts.find(text => factoryOfText(text)?.paths)
  if (file === undefined) return
  throw usage(
    `A journal from elsewhere may name no file of this machine, and this one names ${file}.`,
    'Give both places on the command line: repeat the command that began the job.',
  )
}

/** @param {JobOptions} options of a journal from elsewhere @returns {JobOptions} those that are trusted */
function withoutFiles({ select, ...rest }) {
  return {
    ...without(rest, OF_OWN_JOURNAL.job),
    ...(select && { select: without(select, OF_OWN_JOURNAL.select) }),
  }
}

/** @param {import('../types').JobEnd} end @param {import('../types').SideOptions} [side] */
function placed({ text, typed = text }, side) {
  return side?.endpointUrl === undefined ? typed : `${typed} at ${side.endpointUrl}`
}

/** @template {object} T @param {T} options @param {readonly string[]} names @returns {T} */
function without(options, names) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name))))
}

module.exports = { leaveFiles, refuseFiles, withoutFiles }
