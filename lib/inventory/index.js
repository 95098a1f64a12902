'use strict'

/** Manifests: files that name the objects to copy, with what is known of each. open.js recognises and opens them. */

const { lazily } = require('../lazily')

module.exports = /** @type {typeof import('./open')} */ (
  lazily({}, [[() => require('./open'), ['digestManifest', 'isLocation', 'openManifest']]])
)
