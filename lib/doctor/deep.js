'use strict'

/**
 * `xfer doctor --deep`: what a server does where servers differ, asked by a few requests below a prefix of its own. deep-questions.js and
 * deep-key-questions.js are the questions, deep-requests.js makes the requests; here a row like those of stores/servers.js is made of what was found.
 */

const { asXferError } = require('../errors')
const { PATTERNS, keepRow } = require('../stores')
const { createRequests, NO_ANSWER } = require('./deep-requests')
const { QUESTIONS } = require('./deep-questions')

const CHECK_MS = 120_000

/**
 * What questions found; null: it could not be found out.
 *
 * @typedef {object} FoundFacts
 * @property {boolean | null} sumsOfPut
 * @property {boolean | null} sumsBehind
 * @property {boolean | null} sumsEncoded
 * @property {boolean} sumsOfParts
 * @property {boolean} refusesSums
 * @property {boolean} keepsFraming
 * @property {boolean} conditionsOfPut
 * @property {boolean} conditionsOfUpload
 * @property {boolean} keepsMetadata
 * @property {boolean} tags
 * @property {boolean} equalParts
 * @property {boolean} hidesBelow
 * @property {string[]} badKeys kinds of keys
 */

/** @param {Partial<FoundFacts>} found @returns {Record<string, any>} as a row of stores/servers.js, in JSON */
function factsOf(found) {
  const checked = found.sumsOfPut && found.sumsBehind && found.sumsEncoded && found.sumsOfParts
  const patterns = (found.badKeys ?? []).flatMap(kind => PATTERNS[kind] ?? [])
  return {
    ...(found.refusesSums ? { sums: 'refused' } : checked ? { sums: 'checked' } : {}),
    ...(found.keepsFraming && { namesFraming: false }),
    ...((found.conditionsOfPut === false || found.conditionsOfUpload === false) && { conditions: 'ignored' }),
    ...(found.keepsMetadata && { keepsMetadata: true }),
    ...(found.tags === false && { tags: false }),
    ...(found.equalParts && { limits: { equalParts: true } }),
    ...(found.hidesBelow && { hidesBelow: true }),
    ...(patterns.length > 0 && {
      keys: {
        pattern: patterns.join('|'),
        reason: 'is one that its server does not keep, as xfer doctor --deep has found',
      },
    }),
  }
}

/** @param {unknown} cause @returns {import('./deep-questions').DeepAnswer} @throws {import('../types').XferError} */
function notFound(cause) {
  const error = asXferError(cause)
  if (NO_ANSWER.includes(error.code)) throw error
  return { holds: null, says: `It could not be found out: ${error.message}` }
}

/**
 * @param {import('./stores').SideFound} found its store is opened by the check before
 * @param {{ within: string, env: NodeJS.ProcessEnv, signal: AbortSignal, needs: string,
 *   engineFor: (store: import('../types').Store) => import('../types').Engine }} how within: a prefix; needs: the check that opens the store;
 *   engineFor: of this machine
 * @returns {{ checks: import('./run').Check[], clean(): Promise<string[]> }} clean: resolves to the keys that are still there
 */
function deepChecks(found, { within, env, signal, needs, engineFor }) {
  /** @type {import('./deep-requests').Requests | undefined} */
  let server
  /** @type {import('../types').Engine | undefined} */
  let engine
  /** @type {Partial<FoundFacts>} */
  const facts = {}
  const questions = QUESTIONS.map(({ id, ask }, i) => ({
    name: id,
    needs: i === 0 ? [needs] : [needs, QUESTIONS[0].id],
    limitMs: CHECK_MS,
    async run() {
      const store = /** @type {import('../types').Store} */ (found.store)
      engine ??= engineFor(store)
      server ??= createRequests(store, { within, engine, signal })
      const { holds, says, follows, facts: learned } = await ask(server).catch(notFound)
      Object.assign(facts, learned)
      return {
        ok: holds === null ? null : true,
        holds,
        detail: says,
        ...(holds === false && follows && { hint: follows }),
      }
    },
  }))
  const row = {
    name: 'row',
    needs: [needs, QUESTIONS[0].id],
    limitMs: CHECK_MS,
    async run() {
      const { endpoint, scheme } = /** @type {import('../types').Store} */ (found.store)
      const kept = factsOf(facts)
      const says = `What was found: ${JSON.stringify(kept)}.`
      if (scheme !== 's3' || !URL.canParse(endpoint)) return { ok: true, detail: says, row: kept }
      const file = keepRow(env, endpoint, { asked: new Date().toISOString().slice(0, 10), facts: kept })
      const detail = `${says} Later copies go by it: it is kept in ${file}, until --forget.`
      return { ok: true, detail, row: kept }
    },
  }
  const clean = async () => {
    const left = (await server?.clean()) ?? []
    await engine?.close()
    return left
  }
  return { checks: [...questions, row], clean }
}

module.exports = { deepChecks }
