'use strict'

/** The engine `local`: runs the action on threads of this machine. */

/** @type {import('../contract').EngineFactory} */
module.exports = {
  name: 'local',
  embedded: true,
  words: { engine: 'this machine' },
  options: [],
  get errors() {
    return require('./threads').ROWS
  },
  checks: () => require('./engine').threadChecks(),
  configured: () => ({ where: 'this machine', reach: 'process', from: 'this program' }),
  open: (_settings, wish) => require('./engine').createLocalEngine(wish),
}
