'use strict'

/** The engine `lambda`: a function of AWS Lambda runs the action. */

/** @typedef {import('./settings').LambdaSettings} LambdaSettings */

/** @type {import('../contract').EngineFactory<LambdaSettings>} */
module.exports = {
  name: 'lambda',
  words: {
    engine: 'a function of AWS Lambda',
    platform: {
      name: 'AWS Lambda',
      configured: 'by --function or XFER_LAMBDA_FUNCTION, with the credentials of the AWS CLI',
      deployNote: 'A function of another tool may run the archive too: its handler is index.handler.',
    },
  },
  get options() {
    return require('./options').options
  },
  get errors() {
    return require('./errors').ROWS
  },
  checkOptions({ functionName }) {
    require('./settings').parseFunctionName(functionName)
  },
  configured: (options, env, asked = false) => require('./settings').resolveEngine(options, env, asked),
  missing(neededBy) {
    const { XferError } = require('./errors')
    return new XferError('NO_LAMBDA', { neededBy })
  },
  open(settings, { silenceMs, concurrency }) {
    const { createLambdaEngine } = require('./engine')
    return createLambdaEngine(settings, { silenceMs, concurrency })
  },
  deploy: options => require('./deploy').deploy(options),
  undeploy: options => require('./deploy').undeploy(options),
  checks: options => require('./checks').platformChecks(options),
}
