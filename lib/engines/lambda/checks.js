'use strict'

/** Checks of AWS Lambda: credentials, the function, its access rules, the limits, and how fast the function answers. */

const { sampleOf } = require('../../http')
const { engineChecks, judgeAccess, runnerCheck, timeInvocations } = require('../common')
const { functionFiles, zipFiles } = require('../archive')
const { openClient } = require('./client')
const { accessOf, isDeployed, trustsOwn } = require('./deploy')
const { notReady } = require('./engine')
const { openRunner } = require('./runner')
const { resolveLambda } = require('./settings')

/** @typedef {import('../../types').Finding} Finding */

const CHECK_MS = 30_000
/** A function of ours that has nothing to do answers at once, a cold one within seconds. */
const INVOKE_MS = 60_000
/** Below this the quota of a new account is worth a word. */
const USUAL_CONCURRENCY = 1_000
const UNSEEN = /** @type {Finding} */ ({
  ok: null,
  detail:
    'The credentials may not read the configuration of the function (lambda:GetFunctionConfiguration); no copy needs that.',
})

/**
 * @param {Record<string, any> & { env: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 * @returns {import('../contract').EngineChecks}
 */
function platformChecks({ env, signal, ...options }) {
  /** @type {import('./client').LambdaClient} */
  let client
  /** @type {import('./settings').LambdaSettings} */
  let settings
  /** Of GetFunctionConfiguration; undefined if it may not be read. @type {any} */
  let configuration
  /** @param {object} params of the action */
  const invoke = params => client.invoke(params, { limitMs: INVOKE_MS })

  /** @type {import('../contract').EngineFound} */
  const found = {
    clocks: [],
    none: { ok: null, detail: 'Skipped, for no function of AWS Lambda is configured.' },
    facts: () => client?.facts ?? {},
    invoke,
    close: () => client?.close(),
  }

  return engineChecks(found, CHECK_MS, [
    {
      name: 'credentials',
      async run() {
        settings = await resolveLambda(options, env)
        found.settings = settings
        client = openClient(settings, { signal })
        // Whether the function is there is the next check's.
        const answer = await client.read('GetFunctionConfiguration', client.target).catch(error => {
          if (error.code !== 'ACTION_NOT_DEPLOYED') throw error
        })
        if (answer) found.clocks = sampleOf('the platform', answer)
        return { ok: true, detail: `${settings.where} accepts the credentials, which came from ${settings.keyFrom}.` }
      },
    },
    {
      name: 'function',
      needs: ['credentials'],
      async run() {
        configuration = (await client.read('GetFunctionConfiguration', client.target))?.output
        if (!configuration) return UNSEEN
        const why = notReady({ configuration }, client.facts)
        if (why) throw why
        return await judgeFunction(configuration, client.facts)
      },
    },
    {
      name: 'access',
      needs: ['function'],
      run: async () => (configuration ? judgeRules(configuration, client.facts) : UNSEEN),
    },
    {
      name: 'limits',
      needs: ['credentials', 'function'],
      async run() {
        const account = (await client.read('GetAccountSettings'))?.output
        const reserved = (await client.read('GetFunctionConcurrency', { function: settings.fn.name }))?.output
        const why = notReady({ reserved }, client.facts)
        if (why) throw why
        return describeAccountLimits(account, reserved)
      },
    },
    {
      name: 'invocation',
      needs: ['function'],
      limitMs: 2 * INVOKE_MS,
      run: () => timeInvocations(invoke, client.facts),
    },
    runnerCheck(() => openRunner(settings, env), env, ['credentials']),
  ])
}

/** @param {any} found @param {Record<string, any>} facts @returns {Promise<Finding>} */
async function judgeFunction(found, { action, deployCommand }) {
  const { Runtime, Architectures = [], MemorySize, Timeout, State, VpcConfig } = found
  const detail = `${action} is deployed: ${Runtime}, ${Architectures.join()}, ${MemorySize} MB, ${Timeout} s, ${State ?? 'state unknown'}`
  if (VpcConfig?.VpcId) {
    const hint =
      'It needs no network of yours unless a store is in it: what passes a NAT gateway is paid by the gigabyte.'
    return { ok: true, detail: `${detail}; it is in the network ${VpcConfig.VpcId}.`, hint }
  }
  // The archive holds certificates that only the deployment knows.
  if (trustsOwn(found) || isDeployed(zipFiles(await functionFiles()), found)) return { ok: true, detail: `${detail}.` }
  return { ok: true, detail: `${detail}; its code is not this xfer's.`, hint: `Run ${deployCommand}.` }
}

/** @param {any} found @param {Record<string, any>} facts @returns {Finding} */
function judgeRules(found, { deployCommand }) {
  if (found.Environment?.Error) {
    return { ok: null, detail: 'The variables of the function, which say what it may connect to, may not be read.' }
  }
  const access = accessOf(found)
  if (!access) {
    const hint = `Run ${deployCommand}, which writes them where no caller can change them.`
    return { ok: true, detail: 'The deployment has no access rules.', hint }
  }
  return judgeAccess(access, deployCommand)
}

/**
 * @param {any} account of GetAccountSettings; undefined if it may not be read
 * @param {any} reserved of GetFunctionConcurrency; likewise
 * @returns {Finding}
 */
function describeAccountLimits(account, reserved) {
  const own = reserved?.ReservedConcurrentExecutions
  const all = account?.AccountLimit?.ConcurrentExecutions
  const left = account?.AccountLimit?.UnreservedConcurrentExecutions
  if (own > 0) return { ok: true, detail: `${own} invocations at once are reserved for the function.` }
  if (!(all > 0)) {
    return { ok: null, detail: 'The credentials may not read the limits: copies learn them from refusals.' }
  }
  const detail = `The region allows ${left ?? all} invocations at once to functions without a reserve.`
  if (all >= USUAL_CONCURRENCY) return { ok: true, detail }
  return { ok: true, detail, hint: 'Ask AWS for a higher quota of concurrent executions if copies are to be faster.' }
}

module.exports = { platformChecks }
