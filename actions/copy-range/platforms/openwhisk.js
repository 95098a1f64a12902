'use strict'

/**
 * The end of the invocation, as OpenWhisk tells it.
 * https://github.com/apache/openwhisk/blob/master/docs/actions.md, "Accessing action metadata within the action body"
 *
 * @param {Record<string, string | undefined>} env
 * @returns {number} milliseconds since the epoch; Infinity where no end is told
 */
function deadlineMs({ __OW_DEADLINE: text }) {
  return text && /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
}

module.exports = { deadlineMs }
