'use strict'

/** What a plan will use, for a dry run. Pure. */

/** @typedef {Omit<import('../types').JobUsage, 'gbSeconds'> & { functionMs?: number }} Planned functionMs: of all invocations */
module.exports = {}
