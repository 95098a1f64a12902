'use strict'

/** The action `xfer/run`: `xfer work` on the platform, which has the keys of the profiles that its owner names, and its own. */

const { bindableProfiles } = require('../../aws')
const { usage } = require('../../errors')
const { removeAlarm, setAlarm } = require('./alarms')
const { runnerFiles } = require('../archive')
const { openClient } = require('./client')
const { deployAction, openPlatform, readChosen, remove, rootOf } = require('./deploy')
const { ifThere } = require('./resources')
const { providerOf } = require('./settings')

/** @typedef {import('./deploy').OpenWhiskDeployOptions & { runnerProfile?: string[], every?: number }} RunnerOptions every: milliseconds */

const PACKAGE = 'xfer'
const RUNNER = `${PACKAGE}/run`
const MEMORY_MB = 512
/** A blocking call is answered after a minute at the latest. */
const ANSWER_MS = 75_000
/** Where the platform does not tell how long an action may run. */
const TIMEOUT_MS = 300_000

/** @param {import('./settings').PlatformSettings} settings @returns {import('../contract').OpenRunner} */
function openRunner(settings) {
  const path = `namespaces/_/actions/${RUNNER}`
  /** @param {import('./client').OpenWhiskRequest} request @param {number} [limitMs] @returns {Promise<any>} */
  async function ask(request, limitMs) {
    const client = openClient(settings, { action: RUNNER })
    return await client.ask(request, { limitMs }).finally(client.close)
  }
  return {
    where: settings.apihost,
    action: RUNNER,
    async deployed() {
      const found = await ifThere(ask({ path, query: { code: false } }))
      const bound = boundTo(found)
      return found && { provider: providerOf(settings.apihost), ...(bound && { profiles: Object.keys(bound) }) }
    },
    async start(call) {
      await ask({ method: 'POST', path, query: { blocking: false }, body: call })
    },
    async ask(call) {
      const answer = await ask({ method: 'POST', path, query: { blocking: true }, body: call }, ANSWER_MS)
      return answer.response?.result
    },
  }
}

/**
 * @param {RunnerOptions} options
 * @returns {Promise<import('../../types').Deployed>}
 * @throws {import('../../types').XferError} as `deploy`; of a profile that cannot be bound
 */
async function deployRunner(options) {
  const { env = process.env, runnerProfile, reset, every } = options
  const state = env.XFER_STATE
  if (every !== undefined && !state)
    throw usage('--every has the runner look at one state again and again, and none is named.', 'Set XFER_STATE.')
  const named = runnerProfile && (await bindableProfiles(runnerProfile, env))
  const asked = await readChosen(options)
  const { apihost, platform } = await openPlatform(options, RUNNER)
  try {
    const found = reset ? undefined : await ifThere(platform.actions.get({ name: RUNNER, code: false }))
    const bound = boundTo(found)
    const profiles = named ?? bound
    if (!profiles)
      throw usage(
        'The platform shows the keys of the runner only encrypted.',
        'Name all its profiles with --runner-profile.',
      )
    const memory = asked.memory ?? found?.limits?.memory ?? MEMORY_MB
    const timeout = asked.timeout ?? found?.limits?.timeout ?? (await longest(platform))
    const spec = {
      packageName: PACKAGE,
      name: 'run',
      runtime: 'nodejs:20',
      files: await runnerFiles(),
      // The platform does not tell a function its memory.
      parameters: { profiles, memory },
      limits: { memory, timeout, logs: 10, concurrency: 1 },
      annotations: {
        description: 'Runs the jobs of xfer that lie in a state.',
        'xfer-runner': 1,
        // It calls itself, and the function that copies.
        'provide-api-key': true,
        // What is bound is not the caller's to change.
        final: true,
      },
    }
    const action = await deployAction(spec, { runtime: asked.runtime, memory, timeout }, platform, options)
    const alarm =
      every === undefined
        ? undefined
        : { everyMs: every, set: await setAlarm(platform, { everyMs: every, action: RUNNER, state: String(state) }) }
    const dropped = Object.keys(bound ?? {}).filter(name => !(name in profiles))
    return {
      apihost,
      actions: [action],
      profiles: Object.keys(profiles),
      ...(dropped.length > 0 && { dropped }),
      ...(alarm && { alarm }),
    }
  } finally {
    platform.close()
  }
}

/**
 * @param {any} action as the platform describes it
 * @returns {Record<string, import('../../types').BoundProfile> | undefined} undefined: it shows them only encrypted
 */
function boundTo(action) {
  const { value = {} } = action?.parameters?.find((/** @type {any} */ { key }) => key === 'profiles') ?? {}
  return typeof value === 'object' ? value : undefined
}

/** The longest time that the platform allows an action. @param {import('./resources').OpenWhiskResources} platform @returns {Promise<number>} milliseconds */
async function longest(platform) {
  const own = await platform.ask({ path: 'namespaces/_/limits' }).catch(error => {
    if (error.facts?.status === undefined) throw error
  })
  const told = own?.maxActionTimeout ?? (await rootOf(platform))?.limits?.max_action_duration
  return told > 0 ? told : TIMEOUT_MS
}

/** @param {RunnerOptions} options @returns {Promise<import('../../types').Undeployed>} */
async function undeployRunner(options) {
  const { apihost, platform } = await openPlatform(options, RUNNER, 'undeploy')
  try {
    await removeAlarm(platform)
    const action = await remove('actions', RUNNER, platform, options.signal)
    return { apihost, actions: [action], packages: [await remove('packages', PACKAGE, platform, options.signal)] }
  } finally {
    platform.close()
  }
}

module.exports = { deployRunner, openRunner, undeployRunner }
