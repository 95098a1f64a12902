'use strict'

/**
 * How programs note in user metadata when the file was last modified that an object was made of. Between conventions it is
 * seconds since the epoch, a decimal number as text, so that no digit is lost.
 */

const SECONDS = /^(-?)(\d{1,11})(?:\.(\d{1,9})\d*)?$/
const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
const NANO = 1_000_000_000n

/** @typedef {import('../contract').MtimeConvention} MtimeConvention */

/** `mtime`, in seconds: what a store without a convention of its own has. @type {MtimeConvention} */
const MTIME_IN_SECONDS = {
  names: ['mtime'],
  read: user => secondsIn(user, 'mtime'),
  write: seconds => ({ mtime: seconds }),
}

/** `mtime`, such as `2017-09-24T19:53:52.5Z`: https://rclone.org/azureblob/#modification-times-and-hashes @type {MtimeConvention} */
const MTIME_IN_RFC_3339 = {
  names: ['mtime'],
  read: ({ mtime = '' }) => secondsOfDate(mtime),
  write(seconds) {
    const mtime = dateOfSeconds(seconds)
    return /** @type {Record<string, string>} */ (mtime === undefined ? {} : { mtime })
  },
}

/** @param {Record<string, string>} user @param {string} name @returns {string | undefined} undefined if there are no seconds under that name */
function secondsIn(user, name) {
  const value = Object.hasOwn(user, name) ? user[name] : undefined
  return value !== undefined && SECONDS.test(value) ? value : undefined
}

/** @param {number} ms since the epoch, whole @returns {string} in seconds, without a zero too many */
function secondsOf(ms) {
  return (ms / 1000).toFixed(3).replace(/\.?0+$/, '')
}

/** @param {string} date of RFC 3339 @returns {string | undefined} undefined if it is none */
function secondsOfDate(date) {
  const [, time, fraction = '', zone] = RFC_3339.exec(date) ?? []
  const ms = Date.parse(time + zone)
  if (Number.isNaN(ms)) return undefined
  return secondsOfNanos(BigInt(ms / 1000) * NANO + BigInt(fraction.slice(1).padEnd(9, '0')))
}

/** @param {bigint} nanos since the epoch @returns {string} in seconds */
function secondsOfNanos(nanos) {
  const [sign, size] = nanos < 0n ? ['-', -nanos] : ['', nanos]
  return `${sign}${size / NANO}${fractionOf(size % NANO)}`
}

/** @param {string} seconds @returns {string | undefined} undefined if the year has not four digits */
function dateOfSeconds(seconds) {
  const [, sign, whole, fraction = ''] = SECONDS.exec(seconds) ?? []
  if (whole === undefined) return undefined
  const size = BigInt(whole) * NANO + BigInt(fraction.padEnd(9, '0'))
  const nanos = sign === '-' ? -size : size
  const rest = ((nanos % NANO) + NANO) % NANO
  const time = new Date(Number((nanos - rest) / NANO) * 1000).toISOString().replace('.000Z', '')
  return /^\d{4}-/.test(time) ? `${time}${fractionOf(rest)}Z` : undefined
}

/** @param {bigint} nanos less than a second */
function fractionOf(nanos) {
  return nanos === 0n ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`
}

module.exports = { MTIME_IN_RFC_3339, MTIME_IN_SECONDS, secondsIn, secondsOf, secondsOfNanos }
