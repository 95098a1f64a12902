'use strict'

/**
 * What deployment and checks ask. The classes of the platform's own client know paths and bodies; `client.js` sends them, so each
 * has a deadline, can be cancelled and goes through the proxy. Invocations are not asked so (docs/design/decisions.md).
 */

// The door of the package would load its transport too.
const Actions = require('openwhisk/lib/actions')
const Namespaces = require('openwhisk/lib/namespaces')
const Packages = require('openwhisk/lib/packages')
const { openClient } = require('./client')

/** @typedef {ReturnType<typeof openResources>} OpenWhiskResources */

/** @param {import('./settings').PlatformSettings} settings @param {Omit<Parameters<typeof openClient>[1], 'configures'>} how */
function openResources(settings, how) {
  const client = openClient(settings, { ...how, configures: true })
  const sender = {
    // They take the namespace from here.
    options: { ...settings, apiKey: settings.auth },
    /** @param {string} method @param {string} path @param {{ qs?: Record<string, any>, body?: object }} [options] */
    request: (method, path, { qs, body } = {}) => client.ask({ method, path, query: qs, body }),
  }
  const [actions, packages, namespaces] = [Actions, Packages, Namespaces].map(Class => new Class(sender))
  return { ...client, sender, actions, packages, namespaces }
}

/** @param {Promise<any>} asked @returns {Promise<any>} undefined if there is no such thing */
async function ifThere(asked) {
  return asked.catch(error => {
    if (error.code !== 'ACTION_NOT_DEPLOYED') throw error
  })
}

module.exports = { ifThere, openResources }
