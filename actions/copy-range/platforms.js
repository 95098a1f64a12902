'use strict'

/**
 * What is one platform's own: the only place of the action where platforms are told apart.
 * Lambda: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html
 */

/** The function's environment variable with the access rules, as JSON: `{"hosts":["*"],"metadata":false}`. */
const ACCESS = 'XFER_ACCESS'

/**
 * The function's handler. Lambda has no parameters that callers cannot change, so the access rules are in the environment of
 * the function, and those of the event never hold. Without the variable the usual rules hold; what cannot be read as rules refuses everything.
 *
 * @param {(params: unknown, options: { deadlineMs: number }) => Promise<any>} main the action
 * @param {Record<string, string | undefined>} env
 * @returns {(event: unknown, context?: { getRemainingTimeInMillis?: () => number }) => Promise<any>}
 */
function createHandler(main, env) {
  return async (event, context) => {
    const left = context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY
    const { access, error } = accessOf(env)
    if (error) return { error }
    const isObject = typeof event === 'object' && event !== null && !Array.isArray(event)
    return await main(isObject ? { ...event, access } : event, { deadlineMs: Date.now() + left })
  }
}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {{ access?: unknown, error?: string }} access: not checked yet, except that it is an object; absent without the variable
 */
function accessOf({ [ACCESS]: text }) {
  if (text === undefined) return {}
  try {
    const access = JSON.parse(text)
    if (typeof access === 'object' && access !== null) return { access }
  } catch {}
  return { error: `The function's environment variable ${ACCESS} is no JSON object, so nothing is allowed.` }
}

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

module.exports = { createHandler, deadlineMs }
