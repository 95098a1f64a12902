'use strict'

/**
 * Manifests, out and in. write.js: what a job did to each object, sealed; seal.js: its seal, and such a manifest, checked;
 * open.js: the rows of one, or of the list of another program, which say what to copy.
 */

const { lazily } = require('../lazily')

/** @typedef {typeof import('./open') & typeof import('./file') & typeof import('./sealed') & typeof import('./seal') & typeof import('./write') & typeof import('./mirror')} ManifestDoor */

module.exports = /** @type {ManifestDoor} */ (
  lazily({}, [
    [() => require('./open'), ['digestManifest', 'isLocation', 'openAt', 'openBeside', 'openManifest']],
    [() => require('./file'), ['openFile']],
    [() => require('./sealed'), ['openSealed']],
    [() => require('./seal'), ['checkManifest', 'createTree', 'faultOf', 'readKey', 'readSealed', 'sealOf']],
    [() => require('./write'), ['openManifestOut']],
    [() => require('./mirror'), ['createMirror']],
  ])
)
