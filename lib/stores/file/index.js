'use strict'

/** The door to the store of files, and its factory. What the help and usage errors do not need is loaded when it is used. */

/** @type {import('../contract').StoreFactory<import('./store').FileSettings>} */
const file = {
  schemes: ['file'],
  paths: true,
  example: '/path/to/file',
  forms: 'path/to/file or file:///path/to/file',
  configured: 'files need no settings',
  options: [
    {
      name: 'followLinks',
      flag: '--follow-links',
      help: 'follow symbolic links below the source, also out of it (files)',
      group: 'selection',
      sides: ['source'],
      commands: ['copy', 'sync', 'verify'],
      kept: true,
    },
  ],
  get errors() {
    return require('./explain').ROWS
  },
  terms: () => require('./explain').TERMS,
  place: () => require('./place'),
  async settings(_place, side, { followLinks = false }) {
    return { side, followLinks, keep: { followLinks: followLinks || undefined } }
  },
  checks: (place, how) => require('./place').checksOf(place, how),
  open: (place, settings, { location, now }) => require('./store').openFileStore({ place, settings, location, now }),
}

module.exports = { file }
