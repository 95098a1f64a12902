'use strict'

/**
 * What people type who know other tools, and what they get instead: options and commands of the AWS CLI, rclone, s5cmd, mc and
 * azcopy. Loaded only after a command line failed. A hint is one sentence. Every option in it is one of the command that was
 * typed, or of the command whose name stands before it (`xfer sync --delete`): test/cli/hints.test.js holds that.
 *
 * @typedef {object} Hint
 * @property {string[]} of the commands for which it is
 * @property {string} hint
 *
 * @typedef {object} Row
 * @property {string[]} typed
 * @property {Array<string | Hint>} hints the first that fits the command; a text fits if the command has its options
 */

/** @type {Row[]} */
const OPTIONS = [...require('./sides'), ...require('./objects'), ...require('./attributes'), ...require('./everyday')]

/** Options of xfer that take another value in other tools. @type {Record<string, string>} */
const VALUES = {
  '--metadata': 'Choose one of copy, replace: user metadata is set with --metadata-set NAME=VALUE.',
  '--tags': 'Choose one of copy, none: xfer sets no other tags than those of the source.',
  '--sse': 'Name the kind, as in --sse AES256, which is what the AWS CLI takes without one.',
}

module.exports = { ...require('./commands'), OPTIONS, VALUES }
