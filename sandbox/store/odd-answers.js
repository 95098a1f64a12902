'use strict'

/**
 * Wrong documents: lists that lack entries or are for another question, deletions that are not reported, errors that repeat
 * what they were sent. Implements the options `lists`, `deletions` and `repeats` of settings.d.ts. None by default.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {Record<string, any>} List as writeXml takes it
 */

const OTHER = 'somebody-elses'
/** How many entries of a short list are returned. */
const half = (/** @type {any[]} */ entries) => Math.floor(entries.length / 2)

/** Changes to a page of a list, and to its text. @type {Record<string, { list?: (list: List) => List, text?: (body: string) => string, status?: number }>} */
const LISTS = {
  // The key count is that of the whole page.
  overcounted: { list: list => ({ ...list, Contents: list.Contents.slice(0, half(list.Contents)) }) },
  // Makes each page of a long list look like the last one.
  'no-truncated': {
    list: list => ({ ...list, IsTruncated: undefined, NextContinuationToken: undefined, KeyCount: undefined }),
  },
  'no-count': { list: list => ({ ...list, KeyCount: undefined }) },
  'no-start': { list: list => ({ ...list, KeyCount: undefined, StartAfter: undefined }) },
  'no-name': { list: list => ({ ...list, Name: undefined, Prefix: undefined }) },
  'foreign-name': { list: list => ({ ...list, Name: OTHER, Contents: [], KeyCount: 0 }) },
  'foreign-prefix': { list: list => ({ ...list, Prefix: `${OTHER}/`, Contents: [], KeyCount: 0 }) },
  'status-206': { list: list => ({ ...list, Contents: list.Contents.slice(0, 1), KeyCount: 1 }), status: 206 },
  'in-comment': {
    text: body => body.replace('<Contents>', '<!-- <Contents>').replace('</Contents>', '</Contents> -->'),
  },
  'other-namespace': {
    list: list => ({ ...list, KeyCount: undefined }),
    text: body =>
      body.replaceAll('<Contents>', '<x:Contents xmlns:x="urn:other">').replaceAll('</Contents>', '</x:Contents>'),
  },
}

/** @param {Context} ctx @param {List} list @param {(list: List) => string} write @returns {Answer} */
function listAnswer(ctx, list, write) {
  const { list: change, text, status = 200 } = LISTS[ctx.state.options.lists] ?? {}
  const body = write(change ? change(list) : list)
  return { status, body: text ? text(body) : body }
}

/** The answer to DeleteObjects instead of doing it. @param {Context} ctx @returns {Answer | undefined} */
function deletionAnswer({ state: { options } }) {
  if (options.deletions === 'page') {
    return { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html><body>Welcome</body></html>' }
  }
  if (options.deletions === '204') return { status: 204 }
  return options.deletions === 'nothing' ? { status: 200 } : undefined
}

/** @param {Context} ctx @param {{ Code: string, Message: string }} error @returns {{ Code: string, Message: string }} as it is sent */
function errorTold(ctx, error) {
  const { repeats } = ctx.state.options
  const token = ctx.header('x-amz-security-token')
  if (repeats === 'nothing' || token === undefined) return error
  if (repeats === 'code') return { ...error, Code: token }
  return { ...error, Message: `You sent ${token}\n    at ${token} (${token}:1:1)` }
}

module.exports = { deletionAnswer, errorTold, listAnswer }
