'use strict'

/**
 * The two places of a run, of any kinds of stores that are installed, each behind a relay, and what runs its functions. Stores of the
 * sandbox are of one run; servers of other makers are started once, and each run has containers of its own there.
 */

const { rmSync } = require('node:fs')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { MODES } = require('../../sandbox/store/modes')
const { ENGINES } = require('../golden/world')
const { call } = require('../sandbox/store/support')
const { KINDS, PEER_KINDS, openEnd, startKinds } = require('../support/ends')
const { s3Server } = require('../support/ends/s3')
const { lookInside } = require('../support/ends/s3-objects')
const { bareEnv, stateEnv } = require('../support/run-xfer')
const { openChain } = require('./chains')
const { CANARY, STATE } = require('./machines')
const { PREFIX } = require('./draw')

const OTHER_HOST = join(__dirname, '..', 'support', 'other-host.js')

/**
 * @typedef {import('../support/ends').Started} Started
 *
 * @typedef {object} Kind
 * @property {string} name
 * @property {'source' | 'destination'} [side] the only one on which it makes a difference
 * @property {boolean} [local] a folder of this machine
 * @property {boolean} [files] keys are paths of a file system
 * @property {boolean} [md5] the ETag of an object of one request is its MD5
 * @property {boolean} [mayFail] a copy from or to it may rightly fail without any fault
 * @property {Record<string, any>} [options] of a store of the sandbox
 * @property {string} [missing] why it cannot be started here
 *
 * @typedef {object} Place
 * @property {(key: string) => string} text what a command calls it
 * @property {(key: string, written: import('../support/ends/s3-objects').Written) => Promise<unknown>} write
 * @property {() => Promise<import('../support/ends/s3-objects').Look>} look
 * @property {(rule: import('./draw').Rule) => { readonly hits: number, remove(): void }} misbehave
 * @property {import('../support/ends').End['watch']} watch
 * @property {(ms: number) => Promise<void>} cutOff
 */

const STATE_OF_CHAIN = { where: 'own', byOption: false, faults: /** @type {any[]} */ ([]) }
/** A store of a run's jobs alone. */
const OWN_STATE = 'state'
/** Names that are one to some stores have a test of their own: test/e2e/names.test.js. @type {Kind[]} */
const SANDBOX = MODES.filter(({ options }) => options.foldNames === undefined).map(({ name, side, ...mode }) => ({
  ...mode,
  name: `sandbox:${name}`,
  side: side === 'both' ? undefined : side,
  md5: mode.options.md5Etags !== false && mode.options.etags !== false,
}))
/** @type {Kind[]} */
const OTHERS = [...KINDS, ...PEER_KINDS.filter(({ name }) => !KINDS.some(kind => kind.name === name))]
  .filter(({ name }) => name !== 'sandbox')
  .map(kind => ({
    ...kind,
    local: kind.name === 'file',
    md5: !/azur|file/.test(kind.name),
    // Not all of them keep what a copy must find again.
    mayFail: /moto|gofakes3|rclone/.test(kind.name),
  }))

/** What is left to functions is named with the profile whose keys they have. @param {{ text: (key: string) => string }} place changed @param {string} profile */
function useProfile(place, profile) {
  const { text } = place
  place.text = key => text(key).replace('://', `://${profile}@`)
}

/** @param {string} names with commas; `all`, `sandbox` and `servers` are some @returns {{ kinds: Kind[], missing: Kind[] }} */
function chooseKinds(names) {
  const all = [...SANDBOX, ...OTHERS]
  const groups = new Map([
    ['all', all],
    ['sandbox', SANDBOX],
    ['servers', OTHERS],
    ...all.map(kind => [kind.name, [kind]]),
  ])
  const chosen = names.split(',').flatMap(name => {
    const kinds = groups.get(name)
    if (!kinds) throw new Error(`no kind of store is called ${name}: ${[...groups.keys()].join(', ')}`)
    return kinds
  })
  return { kinds: chosen.filter(({ missing }) => !missing), missing: chosen.filter(({ missing }) => missing) }
}

/** @param {Kind[]} kinds that can be started */
function createPark(kinds) {
  /** @type {Map<string, Promise<Started>>} */
  const servers = new Map()
  /** @param {string} name @returns {Promise<Started>} of a server that all runs share */
  function sharedServer(name) {
    const kind = kinds.find(one => one.name === name)
    const server = servers.get(name) ?? startKinds([/** @type {any} */ (kind)]).then(([one]) => one)
    servers.set(name, server)
    return server
  }

  return {
    /** @param {import('./draw').Script} script @param {number} run */
    async open({ source: from, destination: to, oneStore, pageSize, engine, faults, single, machines, chain }, run) {
      const folder = await mkdtemp(join(tmpdir(), 'xfer-random-'))
      // However the program ends.
      const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      process.on('exit', remove)
      /** @type {(() => Promise<unknown>)[]} */
      const closing = []
      /** @param {string} name @param {string} container @param {any} [beside] */
      async function openPlace(name, container, beside) {
        const own = name === OWN_STATE ? {} : kinds.find(kind => kind.name === name)?.options
        if (!own) {
          const end = await openEnd(await sharedServer(name), container, beside?.end)
          closing.push(end.close)
          return { end, place: { ...end, cutOff: end.relay.cutOff } }
        }
        const { faults: rules = [], ...options } = own
        const store = beside?.store ?? (await startStore({ dir: join(folder, container), pageSize, ...options }))
        const end = await openEnd({ ...s3Server(store), name, files: false }, container, beside?.end)
        if (!beside) closing.push(end.relay.close, store.close)
        const place = {
          ...end,
          ...{ rules, cutOff: end.relay.cutOff, look: () => lookInside(store, container) },
          misbehave: (/** @type {any} */ rule) => store.faults.add(rule),
          async write(/** @type {string} */ key, /** @type {any} */ written) {
            await end.write(key, written)
            // What comes right with time is right by now.
            for (let time = 0; time < 3; time++) await call(store, { method: 'HEAD', path: `/${container}/${key}` })
          },
        }
        return { end, store, place }
      }
      const destination = await openPlace(to, `to-${run}`)
      const source = await openPlace(oneStore ? to : from, `from-${run}`, oneStore ? destination : undefined)
      /** Jobs of two machines; below a place they are not of what is copied. */
      async function openState({ where, byOption, faults: rules } = machines ?? STATE_OF_CHAIN) {
        const { end, place } =
          where === 'own' ? await openPlace(OWN_STATE, 'shared') : where === 'source' ? source : destination
        const prefix = `${where === 'own' || single ? '' : where === 'source' ? PREFIX.from : PREFIX.to}${STATE}`
        const look = place.look
        await place.write(prefix + CANARY, { bytes: Buffer.from(CANARY) })
        place.look = async () => {
          const found = await look()
          return { ...found, objects: new Map([...found.objects].filter(([key]) => !key.startsWith(prefix))) }
        }
        if (chain?.engine === 'openwhisk') useProfile(place, 'state')
        const text = place.text(prefix)
        return {
          flags: byOption ? ['--state', text] : [],
          env: { ...stateEnv(end.env('DEST')), ...(!byOption && { XFER_STATE: text }) },
          spoil: () => (where === 'own' ? rules.map((/** @type {any} */ rule) => place.misbehave(rule)) : []),
          async look() {
            const kept = [...(await look()).objects].filter(([key]) => key.startsWith(prefix))
            return new Map(kept.map(([key, object]) => [key.slice(prefix.length), object]))
          },
        }
      }
      const shared = machines || chain ? await openState() : undefined
      const sides = { source: source.end.env('SOURCE'), dest: destination.end.env('DEST') }
      const left = chain && shared && (await openChain(chain, { folder, sides: { ...sides, state: shared.env } }))
      if (left?.named) {
        useProfile(source.place, 'source')
        useProfile(destination.place, 'dest')
      }
      const mover = left ?? (await ENGINES[/** @type {keyof ENGINES} */ (engine)]())
      closing.push(mover.close)
      return {
        source: /** @type {Place} */ (source.place),
        destination: /** @type {Place} */ (destination.place),
        flags: [...mover.flags, ...(shared?.flags ?? [])],
        state: join(folder, 'state'),
        ...{ shared, chain: left },
        nodeArgs: shared ? ['--require', OTHER_HOST] : [],
        envOf: (/** @type {string} */ machine) => ({
          ...bareEnv,
          ...mover.env,
          ...(left?.named
            ? { XFER_STATE: shared?.env.XFER_STATE }
            : { ...sides.source, ...sides.dest, ...shared?.env }),
          ...{ MACHINE: machine, HOME: join(folder, 'home', machine), XDG_STATE_HOME: join(folder, 'state', machine) },
        }),
        /** From now on: what the stores are, and what goes wrong. Returns how to mend the latter, and how often it struck. */
        spoil() {
          for (const { place } of new Set([source, destination]))
            for (const rule of place.rules ?? []) place.misbehave(rule)
          const rules = [
            ...faults.source.map(rule => source.place.misbehave(rule)),
            ...faults.destination.map(rule => destination.place.misbehave(rule)),
            ...(shared?.spoil() ?? []),
          ]
          mover.faults?.add(...faults.platform)
          return {
            hits: () => rules.reduce((sum, { hits }) => sum + hits, mover.faults?.hits() ?? 0),
            mend() {
              for (const rule of rules) rule.remove()
              mover.faults?.clear()
            },
          }
        },
        async close() {
          for (const close of closing) await close()
          await rm(folder, { recursive: true, force: true, maxRetries: 5 })
          process.off('exit', remove)
        },
      }
    },
    close: async () => {
      for (const server of servers.values()) await (await server).stop()
    },
  }
}

/** @typedef {Awaited<ReturnType<ReturnType<typeof createPark>['open']>>} World */

module.exports = { chooseKinds, createPark }
