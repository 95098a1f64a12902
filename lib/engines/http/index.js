'use strict'

/** The engine `http`: workers that `xfer serve` runs. */

const COMMANDS = /** @type {const} */ (['copy', 'sync', 'resume', 'verify', 'doctor'])

/** @type {import('../contract').EngineFactory<import('./workers').WorkersSettings>} */
module.exports = {
  name: 'http',
  words: {
    engine: 'workers behind HTTP',
    platform: {
      name: 'Workers',
      configured: 'by --worker, or XFER_WORKERS and XFER_TOKEN',
      insteadOfDeploy:
        'Start xfer serve on each machine, or in containers as docs/guides/workers.md shows, and name the workers by --worker URL or in XFER_WORKERS.',
    },
  },
  options: [
    {
      name: 'worker',
      takes: { as: '<url>', kind: 'list' },
      default: { text: 'XFER_WORKERS' },
      help: 'address of a worker (xfer serve), or of a balancer before several; may be given several times',
      helpFor: { library: 'addresses of workers, or of a balancer before several' },
      group: 'engine',
      commands: COMMANDS,
      kept: { own: true, engine: 'http' },
    },
  ],
  get errors() {
    return require('./workers').ROWS
  },
  configured: (options, env) => require('./workers').readSettings(options, env),
  missing: () => require('./workers').failure('NO_PLATFORM', { engine: 'http', what: 'worker' }),
  open: (settings, wish) => require('./engine').createHttpEngine(settings, wish),
  checks: options => require('./engine').workerChecks(options),
}
