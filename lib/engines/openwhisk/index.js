'use strict'

/** The engine `openwhisk`: functions of an OpenWhisk platform run the action. */

/** @typedef {import('./platform/settings').Settings} Settings */

/** @type {import('../contract').EngineFactory<Settings>} */
module.exports = {
  name: 'openwhisk',
  words: {
    engine: 'functions of the platform',
    platform: {
      name: 'OpenWhisk',
      configured: 'as for wsk (~/.wskprops, APIHOST and AUTH)',
      deployNote:
        'wskdeploy -m manifest.yaml does the same, but it always writes, and always the values of the manifest.',
    },
  },
  get options() {
    return require('./options').options
  },
  get errors() {
    return require('./platform').ROWS
  },
  configured: (options, env) => require('./platform').resolveEngine(options, env),
  missing(neededBy) {
    const { XferError } = require('./platform')
    return new XferError('NO_PLATFORM', { neededBy })
  },
  open(settings, { silenceMs, concurrency }) {
    const { createOpenWhiskEngine } = require('./engine')
    const { action } = settings
    return createOpenWhiskEngine(settings, { action, silenceMs, concurrency })
  },
  deploy: options => require('./deploy').deploy(options),
  undeploy: options => require('./deploy').undeploy(options),
  checks: options => require('./checks').platformChecks(options),
}
