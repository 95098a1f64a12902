'use strict'

/** @import { Call, Reply } from './router' */

const { ApiFailure, messages } = require('./errors')

/**
 * Triggers, the rules that tie them to actions, and the feed `/whisk.system/alarms/interval`, as Adobe's platform has it. No time
 * passes here: a trigger is fired by a POST on it. Upstream: core/controller Triggers.scala, Rules.scala; openwhisk-package-alarms.
 *
 * @param {{ namespace: string, invoke: (call: Call, action: string) => Promise<Reply> }} platform
 */
function createTriggersApi({ namespace, invoke }) {
  /** @type {Map<string, Record<string, any>>} */
  const triggers = new Map()
  /** @type {Map<string, { name: string, trigger: string, action: string }>} */
  const rules = new Map()
  /** By trigger. @type {Map<string, Record<string, any>>} */
  const alarms = new Map()

  /** @param {string} full with a namespace or without */
  const shortOf = full => full.replace(/^\/[^/]+\//, '')

  /** @param {Map<string, any>} all */
  const collection = all => ({
    /** @param {Call} _ @param {string} name @returns {Reply} */
    GET: (_, name) => ({ status: 200, body: found(all, name) }),
    /** @param {Call} call @param {string} name @returns {Promise<Reply>} */
    async PUT(call, name) {
      const body = await call.readObject()
      if (all.has(name) && call.query.get('overwrite') !== 'true') throw new ApiFailure(409, messages.exists)
      if (all === rules) found(triggers, shortOf(String(body.trigger)))
      all.set(name, { ...body, name, namespace, version: '0.0.1' })
      return { status: 200, body: all.get(name) }
    },
    /** @param {Call} _ @param {string} name @returns {Reply} */
    DELETE(_, name) {
      const body = found(all, name)
      all.delete(name)
      return { status: 200, body }
    },
  })

  return {
    rules: collection(rules),
    triggers: {
      ...collection(triggers),
      /** @param {Call} call @param {string} name @returns {Promise<Reply>} */
      async POST(call, name) {
        found(triggers, name)
        const payload = { ...alarms.get(name)?.trigger_payload, ...(await call.readObject()) }
        const readObject = async () => payload
        const own = [...rules.values()].filter(({ trigger }) => shortOf(trigger) === name)
        for (const { action } of own)
          await invoke({ ...call, query: new URLSearchParams(), readObject }, shortOf(action))
        return { status: own.length > 0 ? 202 : 204, body: {} }
      },
    },

    /** The feed's action. @param {Call} call @returns {Promise<Reply>} */
    async feed(call) {
      const { lifecycleEvent, triggerName, authKey, minutes, trigger_payload } = await call.readObject()
      const name = shortOf(String(triggerName))
      if (typeof authKey !== 'string') throw new ApiFailure(400, 'no authKey')
      if (lifecycleEvent === 'DELETE') alarms.delete(name)
      else alarms.set(name, { minutes, trigger_payload })
      return { status: 200, body: { response: { result: { status: 'success' }, success: true, status: 'success' } } }
    },
    alarms: () => [...alarms].map(([name, alarm]) => ({ name, ...alarm })),
  }
}

/** @template T @param {Map<string, T>} all @param {string} name @returns {T} @throws {ApiFailure} 404 */
function found(all, name) {
  const one = all.get(name)
  if (one) return one
  throw new ApiFailure(404, messages.noSuchResource)
}

module.exports = { createTriggersApi }
