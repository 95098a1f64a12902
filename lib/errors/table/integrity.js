'use strict'

/** Errors of bytes that are not what they should be: read, written, streamed or compared. */

const { answer, count, sideOf } = require('./phrases')

/** Of INPUT_DIFFERS: what to do, by what differs from what was expected. @type {Record<string, string>} */
const DIFFERENT_INPUT = {
  stream: 'Look whether what makes the stream failed, or correct what is expected.',
  source: 'Look at the source, or correct what is expected.',
  server:
    'Repeat the command. If the same is found again, the object is damaged there or its server is wrong; --verify size does not compare it.',
}

/** @type {Record<string, import('.').RowOfFile>} */
module.exports = {
  READ_CORRUPTED: {
    message: f => `What was read from the ${sideOf(f)} is wrong (${f.reason}).`,
    hint: f => f.advice ?? `Repeat the command; if it happens again, the ${sideOf(f)} itself is damaged.`,
    retryable: true,
  },
  MD5_DIFFERS: {
    message: f => `What was read from the ${sideOf(f)} is wrong (${f.reason}).`,
    hint: f =>
      `Repeat the command; if it happens again, the ${sideOf(f)} itself is damaged, or somebody set a wrong MD5${sideOf(f) === 'source' ? ': --verify size copies it all the same' : ''}.`,
  },
  PART_CORRUPTED: {
    message: f =>
      f.reason === undefined
        ? `The destination refused what it received, because the checksum is not that of what was sent (${answer(f)}).`
        : `What the destination stored is not what was sent (${f.reason}).`,
    hint: () => 'Repeat the command; if it happens again, check the network and memory on the way.',
    retryable: true,
  },
  WRONG_COPY: {
    final: true,
    message: f => `The copy at ${f.location} was read back, and ${f.reason}; ${f.now}.`,
    hint: () => 'Repeat the command; if it happens again, the destination itself is damaged.',
  },
  OBJECTS_DIFFER: {
    message: f => {
      if (f.pairs)
        return `The prefixes ${f.source} and ${f.destination} are not equal: ${differences(f.pairs)}${named(f)}.`
      return f.location === undefined
        ? `The objects ${f.source} and ${f.destination} are not equal: ${f.reason}.`
        : `The bytes of ${f.location} have the ${f.sum} ${f.found}, and its store keeps ${f.expected} for them.`
    },
    hint: ({ pairs, location }) => {
      if (!pairs) {
        return location === undefined
          ? 'Find out which of the two is right, and copy that one again.'
          : 'Copy it again from an undamaged object.'
      }
      return pairs.differing + pairs.missing > 0
        ? 'Find out which side is right; xfer sync --checksum copies what is missing or differs.'
        : 'Nothing is missing at the destination; --one-way accepts what only the destination has.'
    },
  },
  INTEGRITY: {
    message: f => `The copy is not what the source has: ${f.reason}${f.now === undefined ? '' : `; ${f.now}`}.`,
    hint: f =>
      f.now === undefined
        ? 'Repeat the command; it ended before this copy was visible at the destination.'
        : 'Repeat the command; if it happens again, the source or the destination is damaged.',
    final: true,
  },
  INPUT_DIFFERS: {
    message: f =>
      `Nothing was written, because the ${f.of === undefined ? 'stream' : 'source'} is not what ${f.of === 'server' ? 'its server tells' : 'was expected'}: its ${f.what} is ${f.found}, and not ${f.expected}.`,
    hint: f => DIFFERENT_INPUT[f.of ?? 'stream'],
  },
  STREAM_PASSED: {
    message: f =>
      `${f.partNumber === undefined ? 'A part' : `Part ${f.partNumber}`} of the stream has to be sent again, and its bytes are gone.`,
    hint: () => 'Repeat the command, and let the bytes be made again.',
  },
}

/** @param {import('../../api/summaries').PairCounts} pairs */
function differences({ listed, differing, missing, extra, failed }) {
  const kinds = [
    ...(differing > 0 ? [`${count(differing)} ${differing === 1 ? 'differs' : 'differ'}`] : []),
    ...(missing > 0 ? [`${count(missing)} missing`] : []),
    ...(extra > 0 ? [`${count(extra)} extra`] : []),
    ...(failed > 0 ? [`${count(failed)} not compared`] : []),
  ]
  return `of ${count(listed)} ${listed === 1 ? 'name' : 'names'} ${kinds.join(', ')}`
}

/** The first few of them. @param {Record<string, any>} facts names: string[]; more: number */
function named({ names = [], more = 0 }) {
  if (names.length === 0) return ''
  return ` (${names.map((/** @type {string} */ name) => JSON.stringify(name)).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''})`
}
