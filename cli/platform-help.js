'use strict'

/** The texts of the help about the platforms that run functions. They come from the engines. */

const { ENGINES } = require('../lib/engines')

const WIDTH = 80

const PLATFORMS = ENGINES.flatMap(({ words }) => words.platform ?? [])
/** Those to which `xfer deploy` deploys. */
const DEPLOYABLE = ENGINES.filter(({ deploy }) => deploy).flatMap(({ words }) => words.platform ?? [])

/** @param {string} text @returns {string} wrapped to lines that fit a terminal */
function paragraph(text) {
  /** @type {string[]} */
  const lines = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

module.exports = { DEPLOYABLE, PLATFORMS, paragraph }
