'use strict'

/** Every engine by its name: its options, and its code, which is loaded when it is used. */

const openwhisk = require('./openwhisk/options')

const ENGINES = {
  openwhisk: { ...openwhisk, load: () => require('./openwhisk').createOpenWhiskEngine },
  local: { options: [], load: () => require('./local').createLocalEngine },
}

module.exports = { ENGINES, options: Object.values(ENGINES).flatMap(engine => engine.options) }
