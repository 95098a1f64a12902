'use strict'

/** The engine `openwhisk`: functions of an OpenWhisk platform run the action. */

const { DEPLOYMENT, deployOption } = require('../deployment')

const RUNS = /** @type {const} */ (['copy', 'sync', 'resume', 'verify', 'doctor'])

/** @typedef {import('./settings').PlatformSettings} OpenWhiskIndexSettings */

/** @type {import('../contract').EngineFactory<OpenWhiskIndexSettings>} */
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
  options: [
    {
      name: 'apihost',
      takes: '<host>',
      default: { text: 'APIHOST, or that of ~/.wskprops' },
      help: 'OpenWhisk host',
      group: 'engine',
      commands: [...RUNS, 'deploy'],
      // The local engine does not check this value: it may be any text, even a password.
      kept: { own: true, engine: 'openwhisk' },
    },
    ...DEPLOYMENT,
    deployOption({
      name: 'manifest',
      only: 'library',
      takes: '<file>',
      default: { text: 'the one that came with xfer' },
      help: 'manifest.yaml to deploy',
    }),
  ],
  get errors() {
    return require('./errors').ROWS
  },
  configured: (options, env) => require('./settings').resolvePlatform(options, env),
  missing: () => require('./errors').failure('NO_PLATFORM', { engine: 'openwhisk', what: 'OpenWhisk platform' }),
  open: (settings, wish) => require('./engine').createOpenWhiskEngine(settings, wish),
  runner: {
    entry: 'main',
    read([{ memory, ...call }], { __OW_DEADLINE }) {
      return { call, deadlineMs: Number(__OW_DEADLINE), memoryBytes: memory * 1024 ** 2 }
    },
    open: settings => require('./runner').openRunner(settings),
    deploy: options => require('./runner').deployRunner(options),
    undeploy: options => require('./runner').undeployRunner(options),
  },
  deploy: options => require('./deploy').deploy(options),
  undeploy: options => require('./deploy').undeploy(options),
  checks: options => require('./checks').platformChecks(options),
}
