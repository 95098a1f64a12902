'use strict'

/** The door to the engines. The help needs only names and options: each other file is loaded when it is first used. */

const { lazily } = require('../lazily')
const registry = require('./registry')

/** @typedef {typeof registry & typeof import('./choose') & typeof import('./common') & typeof import('./archive') & typeof import('./server') & typeof import('./start-runner')} EnginesDoor */

module.exports = /** @type {EnginesDoor} */ (
  lazily(registry, [
    [() => require('./choose'), ['checkEngineOptions', 'chooseEngine', 'findEngines', 'findFactory']],
    [() => require('./common'), ['UNLIMITED', 'toParameters']],
    [() => require('./archive'), ['functionArchive']],
    [() => require('./server'), ['createServerEngine']],
    [() => require('./start-runner'), ['callAll', 'findRunner', 'openRunner', 'startRunner']],
  ])
)
