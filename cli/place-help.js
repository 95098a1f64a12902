'use strict'

/** The texts of the help and of hints about places. They come from the stores. */

const { STORES } = require('../lib/stores')

/** @param {string[]} names @param {string} joint of the last two @returns {string} */
function list(names, joint) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`
}

/** How places are written: the end of a sentence. */
const FORMS = list(
  STORES.flatMap(({ forms }) => forms.split(' or ')),
  'or',
)

/** `s3:// and az://` */
const SCHEMES = list(
  STORES.flatMap(({ schemes }) => schemes.map(scheme => `${scheme}://`)),
  'and',
)

module.exports = { FORMS, SCHEMES }
