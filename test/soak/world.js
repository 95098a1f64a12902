'use strict'

/** The two stores of a run and what runs its functions, what they tell, and what is killed of them and started again. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { disownFolder, ownFolder } = require('./leftovers')
const { openOwnStore } = require('../support/ends')
const { sideEnv } = require('../support/run-xfer')
const { openStore } = require('../support/s3')
const { startMember, startRelay } = require('./member')
const { PLATFORMS } = require('./platforms')

/** @typedef {import('./draw').Script} Script */
/** @typedef {string} Name `source`, `destination`, or a member of the platform */
/** @typedef {import('../support/ends').Started} Started */

const BUCKET = 'soak'
const SECRET = 'soak-secret-key'
/** Each command has an access key of its own, so that the stores' logs say who signed a request. */
const COMMANDS = 60
const HARNESS = 'SOAKHARNESS'
/** @type {Array<'source' | 'destination'>} */
const SIDES = ['source', 'destination']
/** @param {Name} name @returns {name is 'source' | 'destination'} */
const isSide = name => name === 'source' || name === 'destination'
/** @param {number} command from 0 */
const keyOf = command => `SOAKCOMMAND${command}`

const ACCOUNTS = [HARNESS, ...Array.from({ length: COMMANDS }, (_, i) => keyOf(i))].map(accessKeyId => ({
  accessKeyId,
  secretAccessKey: SECRET,
}))

/**
 * @param {Script} script
 * @param {(of: Name, event: any) => void} onEvent
 * @param {{ source: Started, destination: Started, container: string }} [ends] servers that are not of the run; absent: two stores of the
 *   sandbox that are
 */
async function openWorld(script, onEvent, ends) {
  const folder = ownFolder(await mkdtemp(join(tmpdir(), 'xfer-soak-')))
  /** @type {Map<Name, import('./member').Member>} */
  const members = new Map()
  /** @type {Map<Name, Record<string, unknown>>} */
  const options = new Map()
  /** @type {Map<Name, number>} */
  const lives = new Map()
  /** @type {Set<Promise<void>>} restarts under way */
  const pending = new Set()
  const platform = script.engine === 'local' ? undefined : PLATFORMS[script.engine]
  let closed = false
  let command = 0
  /** Who sends through a connection that begins now: not known of a platform, whose functions may be those of an earlier command. */
  const label = () => (script.engine === 'local' ? keyOf(command) : undefined)

  /** @param {'source' | 'destination' | 'platform'} of @returns {(event: any) => void} */
  const tellAs = of => event => onEvent(of, event)

  /** @param {'source' | 'destination'} name @param {any} own */
  async function startSide(name, own) {
    if (!ends) return await startMember('store', own, tellAs(name))
    return await startRelay(ends[name], { ...own, container: `${ends.container}-${name}`, label }, tellAs(name))
  }

  /** @param {Name} name @param {number} [life] its dice go on, and don't begin again */
  async function start(name, life = 0) {
    const given = options.get(name) ?? {}
    const faults = /** @type {any[]} */ (given.faults).map(fault =>
      'seed' in fault ? { ...fault, seed: fault.seed + life } : fault,
    )
    const own = { ...given, faults }
    const member = isSide(name) ? await startSide(name, own) : await platform?.start(own, tellAs('platform'))
    if (!member) throw new Error(`there is no ${name}`)
    lives.set(name, life)
    if (closed) await member.end()
    members.set(name, member)
    return member
  }

  /** @param {'source' | 'destination'} name */
  async function startStore(name) {
    if (ends) await ends[name].create(`${ends.container}-${name}`)
    const own = { dir: join(folder, name), buckets: [BUCKET], accounts: ACCOUNTS, ...script[name] }
    options.set(name, own)
    const { endpoint } = (await start(name)).ready
    options.set(name, { ...own, ...(ends?.[name].local ? {} : { port: Number(new URL(endpoint).port) }) })
    return endpoint
  }

  /** @param {import('./platforms').Platform} platform @returns {Promise<Record<string, string>>} what a command must know */
  async function startPlatform({ members: names, env, stays, deploy }) {
    for (const name of names) options.set(name, { file: join(folder, `${name}.json`), ...script.platform, faults: [] })
    const ready = await Promise.all(names.map(async name => (await start(name)).ready))
    for (const [i, name] of names.entries()) options.set(name, { ...options.get(name), ...stays(ready[i]) })
    if (!deploy) return env(ready)
    // Deployed without faults, and found again from its file.
    await deploy({ HOME: folder, ...env(ready) })
    for (const name of names) {
      await members.get(name)?.end()
      options.set(name, { ...options.get(name), faults: script.platform.faults })
      await start(name)
    }
    return env(ready)
  }

  async function close() {
    closed = true
    await Promise.allSettled([...pending])
    await Promise.all([...members.values()].map(member => member.end()))
    if (ends) await Promise.all(SIDES.map(name => ends[name].drop(`${ends.container}-${name}`)))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    disownFolder(folder)
  }

  try {
    const [source, destination, platformEnv] = await Promise.all([
      startStore('source'),
      startStore('destination'),
      platform && startPlatform(platform),
    ])
    const access = (/** @type {string} */ endpoint, accessKeyId = HARNESS) => ({
      endpoint,
      accessKeyId,
      secretAccessKey: SECRET,
      region: 'us-east-1',
    })
    const containerOf = (/** @type {'source' | 'destination'} */ name) => (ends ? `${ends.container}-${name}` : BUCKET)
    /** @param {number} number of a command */
    const sidesOf = number =>
      ends
        ? { ...ends.source.env('SOURCE', source), ...ends.destination.env('DEST', destination) }
        : {
            ...sideEnv('SOURCE', access(source, keyOf(number))),
            ...sideEnv('DEST', access(destination, keyOf(number))),
          }
    return {
      folder,
      state: join(folder, 'state'),
      /** As the soak itself. @param {'source' | 'destination'} name @returns {Promise<import('../../lib/types').Store>} */
      open: async name =>
        ends
          ? await openOwnStore(ends[name], containerOf(name))
          : openStore(access(name === 'source' ? source : destination), BUCKET),
      /** What a command calls it. @param {'source' | 'destination'} name @param {string} key */
      text: (name, key) => ends?.[name].text(containerOf(name), key) ?? `s3://${BUCKET}/${key}`,
      /** @param {number} number of a command that starts now @returns {Record<string, string>} its environment */
      environment(number) {
        command = number
        return {
          PATH: process.env.PATH ?? '',
          HOME: join(folder, 'home'),
          XDG_STATE_HOME: join(folder, 'state'),
          AWS_EC2_METADATA_DISABLED: 'true',
          ...sidesOf(number),
          ...platformEnv,
        }
      },
      /** Kills it, and starts it again after a while. @param {Name} name @param {number} downMs */
      strike(name, downMs) {
        const member = members.get(name)
        if (!member || closed || (isSide(name) && ends?.[name].local)) return false
        members.delete(name)
        member.kill()
        const again = member.exited
          .then(() => delay(downMs))
          .then(async () => {
            if (!closed) await start(name, (lives.get(name) ?? 0) + 1)
          })
        pending.add(again)
        again.finally(() => pending.delete(again)).catch(() => {})
        return true
      },
      /** Resolves when all that was killed runs again. */
      whole: () => Promise.all([...pending]),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

module.exports = { openWorld, BUCKET, COMMANDS, keyOf }
