'use strict'

/** Secrets that cannot be mistaken for anything else, and where they are looked for. */

const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { inspect } = require('node:util')

/** Signs that tempt whoever encodes or splits them are in all of them. */
const SECRETS = {
  key: 'xK3y/SECRET+of=the/store0123456789abcdefg',
  wrongKey: 'xWr0ng/SECRET+of=nobody0123456789abcdefgh',
  token: `xT0ken/SESSION+of=the/store${'0123456789abcdef'.repeat(8)}==`,
  wrongToken: `xWr0ng/SESSION+of=nobody${'fedcba9876543210'.repeat(8)}==`,
  platform: '0aa0-SECRET-PLATFORM-USER:xPl4tform+SECRET/key0123456789abcdefghijklmnopqrstuvwxyz',
  wrongPlatform: '0aa0-SECRET-WRONG-USER:xWr0ngPl4tform+SECRET/key0123456789abcdefghijklmnop',
  proxy: 'xPr0xy-PASSWORD',
  profile: 'xPr0file-SECRET-of-a-process',
  // 32 bytes in base64.
  customer: 'eEN1c3QwbWVyLVNFQ1JFVC1vZi0zMi1ieXRlcy0wMTI=',
}

/** What a secret looks like wherever it may turn up. @param {string} secret */
function formsOf(secret) {
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    ...secret.split(':'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('/', '\\/'),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ]
}

const FORMS = [...new Set(Object.values(SECRETS).flatMap(formsOf))]

/** Of a signed request, whoever's; a header's name alone tells nothing. */
const SIGNED = /(?<!_)Signature=|AWS4-HMAC-SHA256|X-Amz-(?:Security-Token|Signature)[^\w…]{1,8}\w|Basic [\w+/=]{8}/i

/**
 * What of a text must not be there.
 *
 * @param {string} text
 * @param {Iterable<string>} [signatures] that were made meanwhile
 * @returns {string[]}
 */
function leaksIn(text, signatures = []) {
  const found = [...FORMS, ...signatures].filter(secret => text.includes(secret))
  const signed = SIGNED.exec(text)
  return signed ? [...found, text.slice(Math.max(0, signed.index - 100), signed.index + 100)] : found
}

/** Everything that an error, or an event, holds, however deep. @param {unknown} value */
function everythingOf(value) {
  const all = { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null, maxArrayLength: null }
  return inspect(value, { ...all, getters: true })
}

/** Every file below a folder. @param {string} folder @returns {string} */
function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return files.map(file => `${file}\n${readFileSync(file, 'utf8')}`).join('\n')
}

/**
 * The command lines of processes and of all that they started, as anybody on the machine may see them.
 *
 * @param {number[]} pids
 * @returns {string} '' where there is no /proc
 */
function commandLinesOf(pids) {
  const read = (/** @type {string} */ path) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  }
  const running = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const parents = new Map(running.map(pid => [Number(pid), Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1])]))
  const family = new Set(pids)
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid, parent] of parents) {
      if (family.has(pid) || !family.has(parent)) continue
      family.add(pid)
      grown = true
    }
  }
  return [...family].map(pid => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')).join('\n')
}

module.exports = { SECRETS, commandLinesOf, everythingOf, filesOf, formsOf, leaksIn }
