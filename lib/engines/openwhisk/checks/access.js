'use strict'

/** Checks which hosts functions may connect to, by the deployed action. */

const { BUNDLE } = require('../../../../actions/copy-range/net')
const { boundAccess, isSealed } = require('../deploy')

const DEPLOY = 'Run xfer deploy, which binds it so that no caller can change it.'

/**
 * @param {any} deployed the platform's description of the action
 * @param {import('../../common/zip').Files} [files] files of its code
 * @returns {import('../../../types').Finding}
 */
function judgeAccess(deployed, files) {
  if (isSealed(deployed)) {
    return { ok: null, detail: 'The platform keeps encrypted what functions may connect to, and does not tell it.' }
  }
  const bound = boundAccess(deployed)
  if (!bound) return { ok: true, detail: 'The deployment does not say what functions may connect to.', hint: DEPLOY }
  const detail = `${describeAccess(bound)}${describeTrust(files?.[BUNDLE])}.`
  const final = deployed.annotations?.find((/** @type {any} */ { key }) => key === 'final')?.value
  if (final !== true && final !== 'true') {
    return { ok: true, detail: `${detail.slice(0, -1)}, and callers may change that.`, hint: DEPLOY }
  }
  if (!bound.metadata) return { ok: true, detail }
  return { ok: true, detail, hint: 'Run xfer deploy --no-allow-metadata, unless a store is at such an address.' }
}

/** @param {import('../../../types').Access} access */
function describeAccess({ hosts = ['*'], metadata }) {
  if (hosts.length === 0) return 'Functions may connect to no host'
  const whom = hosts.includes('*') ? 'to any host' : `only to ${hosts.join(', ')}`
  return `Functions may connect ${whom}, ${metadata ? 'also' : 'but not'} to link-local and metadata addresses`
}

/** @param {Uint8Array} [bundle] */
function describeTrust(bundle) {
  if (!bundle) return ''
  const count = Buffer.from(bundle).toString('latin1').split('-----BEGIN ').length - 1
  return `, and trust ${count === 1 ? 'a certificate' : `${count} certificates`} beside the usual ones`
}

module.exports = { judgeAccess }
