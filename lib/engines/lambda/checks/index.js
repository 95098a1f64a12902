'use strict'

/** Checks of AWS Lambda: credentials, the function, its access rules, the limits, and how fast the function answers. */

const { EXIT } = require('../../../errors')
const { sampleOf } = require('../../../http')
const { toOutcomes, toParameters } = require('../../common')
const { XferError, fromFunctionError, notReady, openClient, readJson, resolveLambda } = require('../service')
const { describeAccountLimits, describeInvocations, judgeAccess, judgeFunction } = require('./words')

/** @typedef {import('../../contract').Check} Check */
/** @typedef {import('../../../types').Finding} Finding */

const CHECK_MS = 30_000
/** A function of ours that has nothing to do answers at once, a cold one within seconds. */
const INVOKE_MS = 60_000
const UNSEEN = /** @type {Finding} */ ({
  ok: null,
  detail:
    'The credentials may not read the configuration of the function (lambda:GetFunctionConfiguration); no copy needs that.',
})

/**
 * @param {Record<string, any> & { env: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 * @returns {import('../../contract').EngineChecks}
 */
function platformChecks({ env, signal, ...options }) {
  /** @type {import('../service/client').Client | undefined} */
  let client
  /** @type {import('../service/settings').LambdaSettings} */
  let settings
  /** Of GetFunctionConfiguration; undefined if it may not be read. @type {any} */
  let configuration
  const opened = () => /** @type {import('../service/client').Client} */ (client)
  const facts = () => client?.facts ?? {}

  /** The function, as requests name it. */
  const named = () => {
    const { name, qualifier } = settings.fn
    return { FunctionName: name, ...(qualifier && { Qualifier: qualifier }) }
  }

  /** @type {import('../../contract').EngineFound} */
  const found = {
    clocks: [],
    none: { ok: null, detail: 'Skipped, for no function of AWS Lambda is configured.' },
    facts,
    invoke: async params => (await invoke(params)).result,
    close: () => client?.close(),
  }

  /** @param {object} params of the action @throws {XferError} */
  async function invoke(params) {
    const startedMs = Date.now()
    const input = { ...named(), InvocationType: 'RequestResponse', Payload: Buffer.from(JSON.stringify(params)) }
    const { payload, headers } = await opened().call('Invoke', input, { limitMs: INVOKE_MS })
    const result = readJson(payload)
    if (headers['x-amz-function-error'] !== undefined) throw fromFunctionError(result, facts())
    if (result === undefined) throw new XferError('LAMBDA_FAILED', { ...facts(), reason: 'its answer is no JSON' })
    return { result, elapsedMs: Date.now() - startedMs }
  }

  /** What only administrators may read. @param {string} command @param {object} [input] */
  const optional = (command, input) =>
    opened()
      .ask(command, input)
      .catch(error => {
        if (error.facts?.type !== 'AccessDeniedException') throw error
      })

  /** @type {Array<Partial<Check> & Pick<Check, 'name' | 'run'>>} */
  const checks = [
    {
      name: 'credentials',
      async run() {
        settings = await resolveLambda(options, env)
        found.settings = settings
        client = openClient(settings, { signal })
        // Whether the function is there is the next check's.
        const answer = await client.call('GetFunctionConfiguration', named()).catch(error => {
          if (error.code !== 'LAMBDA_NOT_DEPLOYED' && error.facts?.type !== 'AccessDeniedException') throw error
        })
        if (answer) found.clocks = sampleOf('the platform', answer)
        return { ok: true, detail: `${settings.where} accepts the credentials, which came from ${settings.keyFrom}.` }
      },
    },
    {
      name: 'function',
      needs: ['credentials'],
      async run() {
        configuration = await optional('GetFunctionConfiguration', named())
        if (!configuration) return UNSEEN
        const why = notReady({ configuration }, opened().facts)
        if (why) throw why
        return await judgeFunction(configuration, opened().facts)
      },
    },
    {
      name: 'access',
      needs: ['function'],
      run: async () => (configuration ? judgeAccess(configuration, opened().facts) : UNSEEN),
    },
    {
      name: 'limits',
      needs: ['credentials', 'function'],
      async run() {
        const account = await optional('GetAccountSettings')
        const reserved = await optional('GetFunctionConcurrency', { FunctionName: settings.fn.name })
        const why = notReady({ reserved }, opened().facts)
        if (why) throw why
        return describeAccountLimits(account, reserved)
      },
    },
    {
      name: 'invocation',
      needs: ['function'],
      limitMs: 2 * INVOKE_MS,
      async run() {
        const times = []
        for (const _ of ['first', 'second']) {
          const { result, elapsedMs } = await invoke(toParameters([]))
          toOutcomes(result, [], { ...opened().facts })
          times.push({ elapsedMs, cold: result.container?.invocation === 1 })
        }
        return { ok: true, detail: describeInvocations(times) }
      },
    },
  ]
  return { checks: checks.map(check => ({ limitMs: CHECK_MS, exit: EXIT.ENGINE, ...check })), found }
}

module.exports = { platformChecks }
