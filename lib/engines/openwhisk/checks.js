'use strict'

/** Checks of the platform: whether it answers, accepts the key, has the action, and how fast the action answers. */

const { boundAccess, differences, fromCode, isSealed, keptOf, withChosen } = require('./compare')
const { wantedActions } = require('./deploy')
const { engineChecks, judgeAccess, runnerCheck, timeInvocations, toParameters } = require('../common')
const { checkVersion } = require('./engine')
const { XferError, factsOf, failure, fromActivation } = require('./errors')
const { ifThere, openResources } = require('./resources')
const { openRunner } = require('./runner')
const { ACTION, resolvePlatform } = require('./settings')
const { sampleOf } = require('../../http')
const { BUNDLE } = require('../../../actions/copy-range/net')

/** @typedef {import('../../types').Finding} Finding */

const ASK_MS = 10_000
/** Longer than the limit of a single request, whose own error says more. */
const CHECK_MS = 30_000
/** The platform answers a blocking invocation within a minute. */
const INVOKE_MS = 75_000
/** Calls at once that show how many containers there are. */
const BURST = 16

/**
 * @param {{ apihost?: string, caBundle?: string, env: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 * @returns {import('../contract').EngineChecks}
 */
function platformChecks({ apihost, caBundle, env, signal }) {
  const action = ACTION
  const path = `namespaces/_/actions/${action}`
  /** Both once a platform is configured. @type {import('./resources').OpenWhiskResources} */
  let platform
  /** @type {import('./settings').PlatformSettings} */
  let settings
  /** @type {any} */
  let deployed
  /** The limits of the namespace, where they are told. @type {any} */
  let allowed
  const facts = () => factsOf(settings?.apihost ?? '', action)
  /** @type {import('../contract').EngineFound} */
  const found = {
    clocks: [],
    none: { ok: null, detail: 'Skipped, for no OpenWhisk platform is configured.' },
    facts,
    invoke,
    close: () => platform?.close(),
  }

  /** @param {object} params of the action */
  async function invoke(params) {
    const startedMs = Date.now()
    const request = { method: 'POST', path, query: { blocking: true }, body: params }
    const activation = await platform.ask(request, { limitMs: INVOKE_MS })
    const elapsedMs = Date.now() - startedMs
    if (!activation?.response && typeof activation?.activationId === 'string') {
      throw failure('ACTIVATION_LOST', { ...facts(), activationId: activation.activationId, afterMs: elapsedMs })
    }
    return fromActivation(activation, facts())
  }

  return engineChecks(found, CHECK_MS, [
    {
      name: 'platform',
      async run(signalOfCheck) {
        const configured = await resolvePlatform({ apihost, caBundle }, env)
        if (!configured)
          return { ok: true, detail: 'No OpenWhisk platform is configured: copies run on threads of this machine.' }
        settings = configured
        found.settings = settings
        platform = openResources(settings, { action, signal })
        const root = { path: `${settings.apihost}/api/v1` }
        const answer = await platform.call(root, { limitMs: ASK_MS, signal: signalOfCheck })
        // Whether the key is accepted is the next check's.
        if (!answer.head || answer.lost || answer.head.status >= 500) throw platform.explain(answer)
        found.clocks = sampleOf('the platform', answer.head)
        return { ok: true, detail: `${settings.apihost} answers (configured in ${settings.from}).` }
      },
    },
    {
      name: 'key',
      needs: ['platform'],
      async run() {
        const names = await ifThere(platform.namespaces.list())
        if (names === undefined)
          return { ok: null, detail: 'The platform does not tell whose the key is: see the next checks.' }
        if (!Array.isArray(names)) throw failure('NOT_A_PLATFORM', { ...facts(), reason: 'it names no namespaces' })
        const named = settings.namespace === '_' ? names.join(', ') : settings.namespace
        return { ok: true, detail: `The key is accepted, for the namespace ${named}.` }
      },
    },
    {
      name: 'limits',
      needs: ['platform', 'key'],
      async run() {
        // A copy does not need these limits.
        allowed = await platform.ask({ path: 'namespaces/_/limits' }).catch(error => {
          if (error.facts?.status === undefined) throw error
        })
        return { ok: true, detail: describeLimits(allowed) }
      },
    },
    {
      name: 'action',
      needs: ['platform', 'key'],
      async run() {
        deployed = await platform.actions.get({ name: action, code: true })
        const [wanted] = await wantedActions()
        return judgeAction(deployed, wanted, facts())
      },
    },
    {
      name: 'access',
      needs: ['action'],
      run: async () => judgeRules(deployed, fromCode(deployed.exec?.code)),
    },
    {
      name: 'invocation',
      needs: ['action'],
      limitMs: 2 * INVOKE_MS,
      run: () => timeInvocations(invoke, facts()),
    },
    {
      name: 'containers',
      needs: ['invocation'],
      limitMs: 2 * INVOKE_MS,
      run: () => countContainers(invoke, allowed),
    },
    runnerCheck(() => openRunner(settings), env, ['key']),
  ])
}

/**
 * How many containers a burst of calls runs in, at least: a pool may be smaller than the quota of calls at once, and a copy finds out
 * how many there are. The calls count on the quota.
 *
 * @param {(params: object) => Promise<any>} invoke
 * @param {{ concurrentInvocations?: number, invocationsPerMinute?: number } | undefined} limits
 * @returns {Promise<Finding>}
 */
async function countContainers(invoke, { concurrentInvocations = BURST, invocationsPerMinute = 4 * BURST } = {}) {
  const calls = Math.max(1, Math.min(BURST, concurrentInvocations, Math.floor(invocationsPerMinute / 4)))
  const params = toParameters([])
  const answers = await Promise.allSettled(Array.from({ length: calls }, () => invoke(params)))
  const ids = answers.flatMap(answer => (answer.status === 'fulfilled' ? (answer.value?.container?.id ?? []) : []))
  const refused = answers.length - answers.filter(({ status }) => status === 'fulfilled').length
  if (ids.length === 0) return { ok: null, detail: `None of ${calls} calls at once told its container.` }
  const containers = new Set(ids).size
  const said = refused > 0 ? `, and ${refused} were refused` : ''
  const work = containers === 1 ? 'a container works' : `${containers} containers work`
  // A call that is answered at once leaves its container to the next: there may be more.
  return { ok: true, detail: `${calls} calls at once show that at least ${work} at a time${said}.` }
}

/** @param {any} limits of the namespace; undefined if the platform does not tell them */
function describeLimits(limits) {
  const { concurrentInvocations, invocationsPerMinute, maxActionMemory, maxActionTimeout } = limits ?? {}
  const each = [
    maxActionMemory > 0 && `up to ${maxActionMemory} MB`,
    maxActionTimeout > 0 && `up to ${maxActionTimeout / 1000} s`,
  ].filter(Boolean)
  const limited = [
    concurrentInvocations > 0 && `${concurrentInvocations} invocations at once`,
    invocationsPerMinute > 0 && `${invocationsPerMinute} a minute`,
    each.length > 0 && `each with ${each.join(' and ')}`,
  ].filter(Boolean)
  if (limited.length === 0) return 'The platform does not tell its limits: copies learn them from its refusals.'
  return `The platform allows ${limited.join(', ')}.`
}

/**
 * @param {any} deployed with its code
 * @param {import('./deploy').ActionSpec} wanted
 * @param {{ where: string, action: string }} facts
 * @returns {Finding}
 * @throws {XferError} ACTION_VERSION, NOT_A_PLATFORM
 */
function judgeAction(deployed, wanted, facts) {
  if (typeof deployed?.version !== 'string') {
    throw failure('NOT_A_PLATFORM', { ...facts, reason: 'it answers with something else than an action' })
  }
  const { exec = {}, limits = {} } = deployed
  checkVersion(deployed, facts)
  const detail = `${facts.action} ${deployed.version} is deployed: ${exec.kind}, ${limits.memory} MB, ${limits.timeout / 1000} s`
  // Settings that the user may choose do not count as differences.
  const files = fromCode(exec.code)
  const chosen = withChosen(wanted, keptOf(wanted, {}, deployed, files), deployed)
  const fixed = { concurrency: wanted.limits.concurrency }
  const changes = differences({ ...chosen, runtime: exec.kind, limits: fixed, parameters: {} }, deployed, files)
  if (changes.length === 0) return { ok: true, detail: `${detail}.` }
  const { hint } = new XferError('ACTION_VERSION', { ...facts, reason: '' })
  return { ok: true, detail: `${detail}; its ${changes.join(', ')} is not this xfer's.`, hint }
}

/** Checks which hosts functions may connect to, by the deployed action. */

const DEPLOY = 'Run xfer deploy, which binds it so that no caller can change it.'

/**
 * @param {any} deployed the platform's description of the action
 * @param {import('../archive').ArchivedFiles} [files] files of its code
 * @returns {import('../../types').Finding}
 */
function judgeRules(deployed, files) {
  if (isSealed(deployed)) {
    return { ok: null, detail: 'The platform keeps encrypted what functions may connect to, and does not tell it.' }
  }
  const bound = boundAccess(deployed)
  if (!bound) return { ok: true, detail: 'The deployment does not say what functions may connect to.', hint: DEPLOY }
  const trust = describeTrust(files?.[BUNDLE])
  const final = deployed.annotations?.find((/** @type {any} */ { key }) => key === 'final')?.value
  if (final === true || final === 'true') return judgeAccess(bound, 'xfer deploy', trust)
  return { ...judgeAccess(bound, '', `${trust}, and callers may change that`), hint: DEPLOY }
}

/** @param {Uint8Array} [bundle] */
function describeTrust(bundle) {
  if (!bundle) return ''
  const count = Buffer.from(bundle).toString('latin1').split('-----BEGIN ').length - 1
  return `, and trust ${count === 1 ? 'a certificate' : `${count} certificates`} beside the usual ones`
}

module.exports = { platformChecks }
