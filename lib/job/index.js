'use strict'

/**
 * A job from its options to its end: opened, run, stopped, and written to a journal so that it can be resumed. Each
 * file is loaded on first use.
 */

const { lazily } = require('../lazily')

/**
 * @typedef {typeof import('./context') & typeof import('./foreign-journal') &
 *   typeof import('./open') & typeof import('./open-one') & typeof import('./others') &
 *   typeof import('./run') & typeof import('./unfinished') & typeof import('./context') & typeof import('./open')} Door
 */

module.exports = /** @type {Door} */ (
  lazily({}, [
    [() => require('./context'), ['contextOf', 'endpointsOf', 'headObject']],
    [() => require('./foreign-journal'), ['leaveFiles', 'refuseFiles', 'withoutFiles']],
    [() => require('./open'), ['openJob', 'openUpload']],
    [() => require('./open-one'), ['abortUpload', 'ask', 'openAsked', 'openDestination', 'openOne', 'tellTo']],
    [() => require('./others'), ['idsOf', 'ownersOf']],
    [() => require('./run'), ['perform']],
    [() => require('./unfinished'), ['openUnfinished']],
    [() => require('./context'), ['NO_JOURNAL']],
    [() => require('./open'), ['readEngine']],
  ])
)
