'use strict'

/** The texts of the help and of hints about places and platforms. They come from the stores and the engines. */

const { ENGINES } = require('../lib/engines')
const { STORES } = require('../lib/stores')
const { wrapWords } = require('./format')

/** @param {string[]} names @param {string} joint of the last two @returns {string} */
function list(names, joint) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`
}

/** Those that a destination may be in. */
const WRITABLE = STORES.filter(({ sourceOnly }) => !sourceOnly)

const WAYS = WRITABLE.flatMap(({ forms }) => forms.split(' or '))

/** How places are written: the end of a sentence. */
const FORMS = list(WAYS, 'or')

/** @param {typeof STORES} stores */
const schemesOf = stores => stores.flatMap(({ schemes }) => schemes.map(scheme => `${scheme}://`))

/** What places begin with. */
const BEGINNINGS = schemesOf(STORES)

/** `s3:// and az://` */
const SCHEMES = list(schemesOf(WRITABLE), 'and')

/** Where settings come from: a sentence without its full stop. */
const CONFIGURED = `Stores are configured for both sides, or for one with XFER_SOURCE_* and XFER_DEST_*: ${STORES.map(({ configured }) => configured).join('; ')}`

/** Whether a place is written with a scheme. @param {string} text */
const hasScheme = text => /^(?!file:)[a-z0-9]+:\/\//i.test(text)

/** As FORMS, without paths. */
const FORMS_OF_STORES = list(WAYS.filter(hasScheme), 'or')

/**
 * Locations for the list of arguments: `such as s3://bucket/key or …`.
 *
 * @param {string} [ending] what stands in place of `/key`; with a prefix a path is that of a folder
 * @param {{ paths?: boolean }} [which] paths: whether the command takes them
 */
function suchAs(ending = '/key', { paths = true } = {}) {
  const path = ending.includes('prefix') ? '/path/to/folder' : '/path/to/file'
  const own = WRITABLE.flatMap(({ example }) => {
    if (hasScheme(example)) return [example.replace(/\/key$/, ending)]
    return paths ? [path] : []
  })
  return `such as ${list(own, 'or')}`
}

const WIDTH = 80

/** Those that run functions. */
const PLATFORMS = ENGINES.flatMap(({ words }) => words.platform ?? [])
/** Those to which `xfer deploy` deploys. */
const DEPLOYABLE = ENGINES.filter(({ deploy }) => deploy).flatMap(({ words }) => words.platform ?? [])

/**
 * @param {string} text of the help of a command: `{forms}` and `{configured}` stand for these texts, and a paragraph may be one long
 *   line; lines that begin with a blank are left as they are
 */
function helpText(text) {
  const filled = text.replaceAll('{forms}', FORMS).replaceAll('{configured}', CONFIGURED)
  return filled.replace(/^\S.*$/gm, paragraph)
}

/** @param {string} text @returns {string} wrapped to lines that fit a terminal */
const paragraph = text => wrapWords(text, WIDTH).join('\n')

module.exports = {
  BEGINNINGS,
  CONFIGURED,
  DEPLOYABLE,
  FORMS_OF_STORES,
  PLATFORMS,
  SCHEMES,
  hasScheme,
  helpText,
  paragraph,
  suchAs,
}
