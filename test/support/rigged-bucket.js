'use strict'

/** A store of journals in the memory of the test, which can fail at any call. */

const { errorOf } = require('./rigged-store')

/** @typedef {{ call: 'list' | 'get' | 'putNew', of: string, nth?: number, times?: number, before?: () => any }} Rule */

function createRiggedBucket() {
  /** @type {Map<string, Buffer>} */
  const objects = new Map()
  /** When each was written. @type {Map<string, number>} */
  const times = new Map()
  /** @type {Array<Required<Pick<Rule, 'nth' | 'times'>> & Rule & { code?: string, lost?: boolean, seen: number }>} */
  const rules = []

  /** @template T @param {Rule['call']} call @param {string} name @param {() => T} act */
  async function meet(call, name, act) {
    const rule = rules.find(one => one.call === call && name.startsWith(one.of))
    if (!rule || ++rule.seen < rule.nth || rule.seen >= rule.nth + rule.times) return act()
    await rule.before?.()
    if (rule.lost) act()
    if (rule.code) throw errorOf(rule.code)
    return act()
  }

  return {
    objects,
    /** @param {Rule & { code?: string, lost?: boolean }} rule of: how the name begins; lost: done, and not answered */
    rule: rule => void rules.unshift({ nth: 1, times: 1, seen: 0, ...rule }),
    heal: () => void rules.splice(0),
    /** @type {import('../../lib/types').Bucket} */
    bucket: {
      text: 's3://state/',
      now: () => Date.now(),
      list: beginning =>
        meet('list', beginning, () => {
          const names = [...objects.keys()].filter(name => name.startsWith(beginning)).sort()
          return names.map(name => ({ name, modifiedMs: times.get(name) ?? Date.now() }))
        }),
      get: name => meet('get', name, () => objects.get(name)),
      putNew: (name, bytes) =>
        meet('putNew', name, () => {
          if (objects.has(name)) return false
          objects.set(name, bytes)
          times.set(name, Date.now())
          return true
        }),
      async remove(names) {
        for (const name of names) objects.delete(name)
      },
    },
  }
}

module.exports = { createRiggedBucket }
