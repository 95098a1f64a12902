'use strict'

/** The engine `lambda`: a function of AWS Lambda runs the action. */

const { DEPLOYMENT, deployOption } = require('../deployment')

const COMMANDS = /** @type {const} */ (['copy', 'sync', 'resume', 'verify', 'doctor', 'deploy'])

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
  options: [
    {
      name: 'functionName',
      flag: '--function',
      takes: '<name>',
      default: { text: 'XFER_LAMBDA_FUNCTION, or xfer-copy-range', library: "'xfer-copy-range'" },
      help: 'function of AWS Lambda: a name, name:alias or an ARN, which tells its region',
      group: 'engine',
      commands: COMMANDS,
      // An ARN may name a function of somebody else, which would get our signed requests.
      kept: 'own',
    },
    ...DEPLOYMENT,
    deployOption({
      name: 'architecture',
      takes: { as: '<name>', choices: ['arm64', 'x86_64'] },
      default: { text: 'as deployed; arm64 at first' },
      help: 'processors of the function: arm64 or x86_64',
    }),
    deployOption({
      name: 'role',
      takes: '<arn>',
      default: { text: 'as deployed' },
      help: 'role of the function, which a new one needs; it needs no rights to stores',
    }),
  ],
  get errors() {
    return require('./answers').ROWS
  },
  checkOptions({ functionName }) {
    require('./settings').parseFunctionName(functionName)
  },
  configured(options, env, asked) {
    // Credentials alone configure nothing: nearly everybody with an S3 bucket has some.
    const named = options.functionName ?? env.XFER_LAMBDA_FUNCTION ?? env.XFER_LAMBDA_RUNNER
    if (!asked && !named) return undefined
    return require('./settings').resolveLambda(options, env)
  },
  missing: () => require('./answers').failure('NO_PLATFORM', { engine: 'lambda', what: 'function of AWS Lambda' }),
  open: (settings, wish) => require('./engine').createLambdaEngine(settings, wish),
  runner: {
    entry: 'handler',
    read: ([{ state, job, check }, context]) => ({
      call: { state, job, check },
      deadlineMs: Date.now() + context.getRemainingTimeInMillis(),
      memoryBytes: Number(context.memoryLimitInMB) * 1024 ** 2,
    }),
    open: (settings, env) => require('./runner').openRunner(settings, env),
    deploy: options => require('./runner').deployRunner(options),
    undeploy: options => require('./runner').undeployRunner(options),
  },
  deploy: options => require('./deploy').deploy(options),
  undeploy: options => require('./deploy').undeploy(options),
  checks: options => require('./checks').platformChecks(options),
}
