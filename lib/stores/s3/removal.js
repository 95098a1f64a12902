'use strict'

/** Deletes objects, many per request if the store supports it, else one by one. */

const { asXferError, withoutSecrets } = require('../../errors')
const { removeEach } = require('../common')
const { classifyAnswer } = require('./explain')

/** Characters that XML cannot contain: a document with one of them is refused as a whole. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]/

/** @typedef {Awaited<ReturnType<import('../../types').Store['removeAll']>>[number]} Refused */

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
 *
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call'>} control
 * @returns {import('../../types').Store['removeAll']}
 */
function createRemoval({ call }) {
  let takesMany = true

  /** @param {string} key @param {AbortSignal | undefined} signal */
  async function one(key, signal) {
    await call('DeleteObject', { Key: key }, signal).catch(error => {
      if (error.code !== 'NO_SUCH_KEY') throw error
    })
  }

  return async (keys, { signal } = {}) => {
    const single = takesMany ? keys.filter(key => NOT_IN_XML.test(key)) : keys
    const together = takesMany ? keys.filter(key => !NOT_IN_XML.test(key)) : []
    /** @type {Refused[]} */
    const refused = []
    if (together.length > 0) {
      try {
        const Delete = { Objects: together.map(Key => ({ Key })), Quiet: false }
        const { values } = await call('DeleteObjects', { Delete }, signal)
        const answer = readDeletions(values, together)
        refused.push(...answer.refused)
        // Whether these are deleted is unknown: delete each with its own request.
        single.push(...answer.unanswered)
        if (answer.unanswered.length === together.length) takesMany = false
      } catch (error) {
        // Some stores require an MD5 of the list, which is not sent. Others do not know the request.
        if (asXferError(error).code !== 'STORE_REFUSED') throw error
        takesMany = false
        single.push(...together)
      }
    }
    return [...refused, ...(await removeEach(single, key => one(key, signal), signal))]
  }
}

/**
 * @param {Record<string, any>} values of the document
 * @param {string[]} keys of the request
 * @returns {{ refused: Refused[], unanswered: string[] }} unanswered: keys that the answer does not mention. What
 *   it says about other keys is ignored
 */
function readDeletions({ Deleted, Error: Errors }, keys) {
  const asked = new Set(keys)
  const deleted = new Set(Deleted.map((/** @type {{ Key?: string }} */ { Key }) => Key))
  /** @type {Map<string, Refused>} */
  const refused = new Map()
  for (const { Key: key = '', Code, Message } of Errors) {
    const message = withoutSecrets(Message || Code || 'The store refused to delete it.')
    if (asked.has(key)) refused.set(key, { key, code: classifyAnswer({ storeCode: Code }), message })
  }
  return {
    refused: [...refused.values()],
    unanswered: keys.filter(key => !deleted.has(key) && !refused.has(key)),
  }
}

module.exports = { createRemoval }
