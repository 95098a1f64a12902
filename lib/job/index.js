'use strict'

/**
 * A job from its options to its end: opened, run, stopped, and written to a journal so that it can be resumed. Each
 * file is loaded on first use.
 */

const { lazily } = require('../lazily')

/**
 * @typedef {typeof import('./open') & typeof import('./open-one') & typeof import('./others') & typeof import('./run') &
 *   typeof import('./shared') & typeof import('./upload') & typeof import('./state-location') & typeof import('./unfinished')} JobDoor
 */

module.exports = /** @type {JobDoor} */ (
  lazily({}, [
    [() => require('./state-location'), ['openState']],
    [() => require('./open'), ['openAlone', 'openJob', 'readEngine']],
    [() => require('./open-one'), ['abortUpload', 'ask', 'openAsked', 'openDestination', 'openOne', 'tellTo']],
    [() => require('./others'), ['idsOf', 'leaveFiles', 'ownersOf', 'trustedOf']],
    [() => require('./run'), ['NO_JOURNAL', 'contextOf', 'endpointsOf', 'headObject', 'perform', 'runJob']],
    [() => require('./shared'), ['withRanges']],
    [() => require('./unfinished'), ['openUnfinished']],
    [() => require('./upload'), ['openUpload']],
  ])
)
