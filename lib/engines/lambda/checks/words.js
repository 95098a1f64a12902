'use strict'

/** What the checks of AWS Lambda find, in words. */

const { functionFiles, zipFiles } = require('../../common')
const { accessOf, accessTextOf, bundleSumOf, isDeployed } = require('../deploy')

/** @typedef {import('../../../types').Finding} Finding */
/** @typedef {import('@aws-sdk/client-lambda').FunctionConfiguration} Found */

/** Below this the quota of a new account is worth a word. */
const USUAL_CONCURRENCY = 1_000

/**
 * @param {Found} found
 * @param {Record<string, any>} facts
 * @returns {Promise<Finding>}
 */
async function judgeFunction(found, { action, deployCommand }) {
  const { Runtime, Architectures = [], MemorySize, Timeout, State, VpcConfig } = found
  const detail = `${action} is deployed: ${Runtime}, ${Architectures.join()}, ${MemorySize} MB, ${Timeout} s, ${State ?? 'state unknown'}`
  if (VpcConfig?.VpcId) {
    const hint =
      'It needs no network of yours unless a store is in it: what passes a NAT gateway is paid by the gigabyte.'
    return { ok: true, detail: `${detail}; it is in the network ${VpcConfig.VpcId}.`, hint }
  }
  // The archive holds certificates that only the deployment knows.
  if (bundleSumOf(found) !== undefined || isDeployed(zipFiles(await functionFiles()), found)) {
    return { ok: true, detail: `${detail}.` }
  }
  return { ok: true, detail: `${detail}; its code is not this xfer's.`, hint: `Run ${deployCommand}.` }
}

/** @param {Found} found @param {Record<string, any>} facts @returns {Finding} */
function judgeAccess(found, { deployCommand }) {
  if (found.Environment?.Error) {
    return { ok: null, detail: 'The variables of the function, which say what it may connect to, may not be read.' }
  }
  const access = accessOf(found)
  if (!access && accessTextOf(found) !== undefined) {
    const hint = `Run ${deployCommand} with --allow-hosts or --reset.`
    return { ok: false, detail: 'The access rules of the deployment cannot be read, so it allows nothing.', hint }
  }
  if (!access) {
    const hint = `Run ${deployCommand}, which writes them where no caller can change them.`
    return { ok: true, detail: 'The deployment has no access rules.', hint }
  }
  const { hosts = ['*'], metadata } = access
  if (hosts.length === 0) return { ok: true, detail: 'The function may connect to no host.' }
  const whom = hosts.includes('*') ? 'to any host' : `only to ${hosts.join(', ')}`
  const detail = `The function may connect ${whom}, ${metadata ? 'also' : 'but not'} to link-local and metadata addresses.`
  if (!metadata) return { ok: true, detail }
  return { ok: true, detail, hint: `Run ${deployCommand} --no-allow-metadata, unless a store is at such an address.` }
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

/** @param {Array<{ elapsedMs: number, cold: boolean }>} times two @returns {string} */
function describeInvocations(times) {
  const words = times.map(({ elapsedMs, cold }) => `${elapsedMs} ms (${cold ? 'cold' : 'warm'})`)
  return `The function answered in ${words.join(' and ')}.`
}

module.exports = { describeAccountLimits, describeInvocations, judgeAccess, judgeFunction }
