'use strict'

const { compileGlob } = require('./glob')

/**
 * What a pattern was perhaps meant to be that matches no name: names are relative to the source's prefix and begin with no
 * slash, and a pattern is for the whole name. Pure.
 *
 * @param {string} pattern
 * @param {string} prefix the key of the source's prefix
 * @returns {string[]} other patterns, the likeliest first
 */
function meantPatterns(pattern, prefix) {
  const path = pattern.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '').replace(/^(?:\.?\/)+/, '')
  const names = prefix !== '' && path.startsWith(prefix) ? [path.slice(prefix.length), path] : [path]
  const patterns = names.flatMap(name => {
    const folder = name.replace(/\/+$/, '')
    if (folder === '') return []
    return folder.endsWith('*') ? [folder] : [`${folder}/*`, folder]
  })
  return patterns.filter(one => one !== pattern)
}

/**
 * Finds what a pattern was meant to be, among the names that it is shown.
 *
 * @param {string} pattern
 * @param {string} prefix
 */
function createMeant(pattern, prefix) {
  const choices = meantPatterns(pattern, prefix).map(meant => ({ meant, fits: compileGlob(meant), seen: false }))
  return {
    /** @param {string} name */
    look(name) {
      for (const choice of choices) choice.seen ||= choice.fits(name)
    },
    /** @returns {string | undefined} a pattern that matches one of the names */
    found: () => choices.find(({ seen }) => seen)?.meant,
  }
}

module.exports = { createMeant }
