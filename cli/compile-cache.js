'use strict'

const module_ = require('node:module')
const { isAbsolute, join } = require('node:path')

/**
 * Has Node.js keep what it compiles, where it can (22.8 and later): a sixth less to begin with. In a folder of the user's
 * own, for it is code, and Node's own choice is one that all users of a machine share.
 * https://nodejs.org/api/module.html#module-compile-cache,
 * https://specifications.freedesktop.org/basedir-spec/latest/
 *
 * @param {NodeJS.ProcessEnv} env NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE are heeded by Node.js itself
 */
function keepCompiled({ XDG_CACHE_HOME, HOME }) {
  const base = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : HOME && join(HOME, '.cache')
  // Where it cannot be written nothing is kept, and nothing is lost.
  if (base) /** @type {any} */ (module_).enableCompileCache?.(join(base, 'xfer', 'compiled'))
}

module.exports = { keepCompiled }
