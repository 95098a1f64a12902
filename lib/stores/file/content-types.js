'use strict'

/** The content type of a file, by the ending of its name, without a charset: nobody knows the encoding of a text. */

/** Of an ending, without its dot. @type {Map<string, string | false>} */
const known = new Map()

/** @param {string} key @returns {Record<string, string>} the header, if the type is known */
function typeHeaders(key) {
  const [, ending = ''] = /[^/]\.([A-Za-z0-9]{1,16})$/.exec(key) ?? []
  if (ending === '') return {}
  // Its list of types takes a while to load.
  if (!known.has(ending)) known.set(ending, require('mime-types').lookup(ending))
  const type = known.get(ending)
  return type ? { 'content-type': type } : {}
}

module.exports = { typeHeaders }
