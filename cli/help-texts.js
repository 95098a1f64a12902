'use strict'

/** The texts of the help, and their words for places and platforms, which come from the stores and the engines. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { ENGINES } = require('../lib/engines')
const { STORES } = require('../lib/stores')
const { wrapWords } = require('./format')

/** Those that a destination may be in. */
const WRITABLE = STORES.filter(({ sourceOnly }) => !sourceOnly)
/** How places are written. */
const WAYS = WRITABLE.flatMap(({ forms }) => forms.split(' or '))
/** Engines that run functions, and those of them to which `xfer deploy` deploys. */
const PLATFORMS = ENGINES.flatMap(({ words }) => words.platform ?? [])
const DEPLOYABLE = ENGINES.filter(({ deploy }) => deploy).flatMap(({ words }) => words.platform ?? [])

/** @param {string[]} names @param {string} joint of the last two @returns {string} */
function list(names, joint) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`
}

/** @param {typeof STORES} stores */
const schemesOf = stores => stores.flatMap(({ schemes }) => schemes.map(scheme => `${scheme}://`))

/** What places begin with. */
const BEGINNINGS = schemesOf(STORES)

/** `s3:// and az://` */
const SCHEMES = list(schemesOf(WRITABLE), 'and')

/** Whether a place is written with a scheme. @param {string} text */
const hasScheme = text => /^(?!file:)[a-z0-9]+:\/\//i.test(text)

/** What a text has in braces. `configured` and `platforms`: where settings come from. @type {Record<string, string>} */
const WORDS = {
  forms: list(WAYS, 'or'),
  stores: list(WAYS.filter(hasScheme), 'or'),
  configured: `Stores are configured for both sides, or for one with XFER_SOURCE_* and XFER_DEST_*: ${STORES.map(({ configured }) => configured).join('; ')}`,
  platforms: PLATFORMS.map(({ name, configured }) => `${name} ${configured}`).join('; '),
  deployable: DEPLOYABLE.map(({ name }) => name).join(' or '),
  deployNotes: DEPLOYABLE.map(({ deployNote }) => deployNote).join(' '),
}

/**
 * @param {string} kind `place`, or `store`, which is no path
 * @param {string} ending what stands in place of `/key`; with a prefix a path is that of a folder
 * @returns {string} `such as s3://bucket/key or …`
 */
function suchAs(kind, ending) {
  const path = ending.includes('prefix') ? '/path/to/folder' : '/path/to/file'
  const own = WRITABLE.flatMap(({ example }) => {
    if (hasScheme(example)) return [example.replace(/\/key$/, ending)]
    return kind === 'place' ? [path] : []
  })
  return `such as ${list(own, 'or')}`
}

/** @param {string} text in braces a name of WORDS, or places, as in `{a place/key}` @returns {string} */
function filled(text) {
  return text
    .replace(/\{a (place|store)(.*?)\}/g, (_, kind, ending) => suchAs(kind, ending))
    .replace(/\{(\w+)\}/g, (_, name) => WORDS[name])
}

const WIDTH = 80

/**
 * What its file in help/ has. It begins with one line each: the summary for the help of all, the description, and the arguments.
 *
 * @param {string} name of a command, or of the program, whose summary is not shown
 * @returns {{ summary: string, description: string, places: string[][], below: () => string }} places: each with its text; below: what
 *   stands below the options. There a paragraph may be one long line; lines that begin with a blank are left as they are
 */
function helpOf(name) {
  const own = readFileSync(join(__dirname, 'help', `${name}.txt`), 'utf8')
  const [head] = own.split(/\n(?:\n|$)/, 1)
  const [summary, description, ...places] = filled(head).split('\n')
  return {
    summary,
    description,
    places: places.map(line => line.split(/ (.*)/, 2)),
    below: () =>
      filled(own.slice(head.length + 1).replace(/\n$/, '')).replace(/^\S.*$/gm, line =>
        wrapWords(line, WIDTH).join('\n'),
      ),
  }
}

module.exports = { BEGINNINGS, SCHEMES, hasScheme, helpOf, list }
