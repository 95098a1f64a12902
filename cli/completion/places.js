'use strict'

/**
 * How a place may go on behind its scheme: profiles, buckets, and the keys of one level. A store is asked for a short time only, and
 * whatever goes wrong is not told: then there is nothing to offer.
 */

const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync } = require('node:fs')
const { devNull } = require('node:os')
const { join } = require('node:path')
const lib = require('../../lib')
const { factoryOfText, parsePlace } = require('../../lib/stores')
const { replaceFile } = require('../own-files')

/** Somebody waits at a prompt. `XFER_COMPLETION_MS` says otherwise, for stores that are far away. */
const DEADLINE_MS = 1_500
const MOST_KEYS = 100
/** Names of buckets change seldom. */
const KEPT_MS = 5 * 60_000

/** @typedef {{ env: NodeJS.ProcessEnv, source?: import('../../lib/types').ListOptions['source'], caBundle?: string }} AskingSettings the settings of the store, as a source */

/**
 * @param {string} current the place so far, with its scheme
 * @param {AskingSettings} how
 * @returns {Promise<string[]>} what was found in time
 */
async function placesAt(current, how) {
  const factory = factoryOfText(current)
  if (!factory || factory.paths || factory.single) return []
  /** @type {string[]} */
  const found = []
  const names = factory.profiles?.(how.env) ?? Promise.resolve([])
  /** @param {AsyncIterable<string>} words */
  const collect = async words => {
    for await (const word of words) found.push(word)
  }
  const work = [profilesAt(current, names), storedAt(current, names, { ...how, retries: 0 })].map(collect)
  const deadlineMs = Number(how.env.XFER_COMPLETION_MS) || DEADLINE_MS
  await Promise.race([Promise.allSettled(work), new Promise(resolve => setTimeout(resolve, deadlineMs))])
  return found
}

/** @param {string} current @param {Promise<string[]>} names */
async function* profilesAt(current, names) {
  const [, scheme] = /^(\w+:\/\/)[^@/]*$/.exec(current) ?? []
  if (scheme) for (const name of await names) if (/^[^:@/\s]+$/.test(name)) yield `${scheme}${name}@`
}

/** Settings of a store without a profile in the place. */
const CREDENTIALS = /(?:_PROFILE|ACCESS_KEY_ID|_TOKEN_FILE|_CREDENTIALS_\w+_URI)$/

/** @param {string} current @param {Promise<string[]>} names of profiles @param {AskingSettings & { retries: number }} how */
async function* storedAt(current, names, how) {
  const account = current.replace(/[^/@]*$/, '')
  const { container } = parsePlace(account, 'source', { containerAlone: true, accountAlone: true })
  if (container === '') {
    const profiles = await names
    // Where each place names its profile, nothing is to be found without one but the address of a cloud's metadata.
    const isBare =
      account.endsWith('://') && profiles.length > 0 && !profiles.includes('default') && !how.source?.profile
    if (!isBare || Object.keys(how.env).some(name => CREDENTIALS.test(name))) yield* await bucketsOf(account, how)
    return
  }
  let keys = 0
  for await (const { location } of lib.list(current, how)) {
    if (keys++ === MOST_KEYS) return
    yield location
  }
}

/** @param {string} account @param {AskingSettings} how @returns {Promise<string[]>} */
async function bucketsOf(account, how) {
  const { XDG_CACHE_HOME, HOME } = how.env
  const base = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'))
  const folder = join(base || devNull, 'xfer')
  const file = join(folder, 'buckets.json')
  const id = idOf(account, how)
  /** @type {Array<[id: string, kept: { atMs: number, places: string[] }]>} */
  let kept = []
  try {
    kept = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
  } catch {}
  kept = kept.filter(([, { atMs }]) => Math.abs(Date.now() - atMs) < KEPT_MS)
  const known = kept.find(([key]) => key === id)
  if (known) return known[1].places
  /** @type {string[]} */
  const places = []
  for await (const { location } of lib.list(account, how)) places.push(`${location}/`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const text = JSON.stringify(Object.fromEntries([...kept, [id, { atMs: Date.now(), places }]]))
    replaceFile(file, text, { mode: 0o600 })
  } catch {}
  return places
}

/** Variables that tell whose buckets are listed, and where; none is a secret. */
const SETTINGS =
  /_(?:PROFILE|ACCESS_KEY_ID|TOKEN_FILE|CREDENTIALS_\w+_URI|CONFIG_FILE|CREDENTIALS_FILE|ENDPOINT_URL\w*)$/

/** @param {string} account @param {AskingSettings} how */
function idOf(account, { env, ...how }) {
  const settings = Object.entries(env).filter(([name]) => SETTINGS.test(name))
  return createHash('sha256')
    .update(JSON.stringify([account, how, settings.sort()]))
    .digest('hex')
}

module.exports = { placesAt }
