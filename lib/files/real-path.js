'use strict'

const { realpathSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')

/** @param {string} path absolute @returns {string} without symbolic links, as far as it is there */
function realPath(path) {
  try {
    return realpathSync(path)
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path))
  }
}

module.exports = { realPath }
