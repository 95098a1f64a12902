'use strict'

/** The door to the store of files, and its factory. What the help and usage errors do not need is loaded when it is used. */

const { FORMS, options } = require('./options')

/** @type {import('../contract').StoreFactory<import('./store').FileSettings>} */
const file = {
  schemes: ['file'],
  paths: true,
  example: '/path/to/file',
  forms: FORMS,
  configured: 'files need no settings',
  options,
  get errors() {
    return require('./explain').ROWS
  },
  terms: () => require('./explain').TERMS,
  parse: (text, side) => require('./place').parse(text, side),
  text: place => require('./place').text(place),
  asFolder: place => require('./place').asFolder(place),
  keyFault: key => require('./place').keyFault(key),
  identify: () => ({ host: 'file:', server: 'file:', name: 'the file system' }),
  async settings(_place, side, { followLinks = false }) {
    return { side, followLinks, keep: { followLinks: followLinks || undefined } }
  },
  checks: (place, how) => require('./checks').checksOf(place, how),
  open: (place, settings, { location, now }) => require('./store').openFileStore({ place, settings, location, now }),
}

module.exports = { file }
