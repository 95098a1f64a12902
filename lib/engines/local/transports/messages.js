'use strict'

/** What the local transports have of HTTP: the ranges of requests, answers and their bodies. */

/** @typedef {import('../../../../actions/copy-range/transport').Answer} Answer */
/** @typedef {import('../../../../actions/copy-range/transport').WireRequest} WireRequest */

/** The body of an answer that has none. @type {Answer['body']} */
const EMPTY = { start: ({ end }) => end(), pause() {}, resume() {} }

/**
 * @param {number} status
 * @param {Record<string, string>} [headers]
 * @returns {Answer}
 */
function answerOf(status, headers = {}) {
  return { status, headers: { 'content-length': '0', ...headers }, body: EMPTY }
}

/**
 * A refusal. The task's rule finds the code in the header `x-error`.
 * @param {number} status
 * @param {string} code
 */
function refusalOf(status, code) {
  return answerOf(status, { 'x-error': code })
}

/**
 * The bytes that a GET asks for.
 * @param {WireRequest['headers']} headers
 * @param {number} total the size of the object
 * @returns {{ start: number, end: number, partial: boolean } | undefined} end: exclusive; partial: asked for by a range;
 *   undefined: there are no such bytes
 */
function rangeOf({ range }, total) {
  if (range === undefined) return { start: 0, end: total, partial: false }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  const [start, end] = [Number(from), Number(to) + 1]
  return start < end && end <= total ? { start, end, partial: true } : undefined
}

/**
 * The head of an answer with these bytes.
 * @param {{ start: number, end: number, partial: boolean }} range
 * @param {number} total
 * @param {string} etag
 * @param {Answer['body']} body
 * @returns {Answer}
 */
function contentOf({ start, end, partial }, total, etag, body) {
  const headers = { etag, 'content-length': String(end - start) }
  if (!partial) return { status: 200, headers, body }
  return { status: 206, headers: { ...headers, 'content-range': `bytes ${start}-${end - 1}/${total}` }, body }
}

/**
 * A body of pieces that are made one after the other. None is passed on while it is paused, or after `stop`.
 * @param {AsyncIterable<{ bytes: Buffer, slab?: import('../../../../actions/copy-range/slab').Slab }>} pieces
 * @param {{ close?: () => void, lost?: (error: unknown) => void }} [on] close: called once, when no more pieces are needed;
 *   lost: of pieces that end with an error
 * @returns {{ body: Answer['body'], stop: () => void }}
 */
function bodyOf(pieces, { close, lost } = {}) {
  let over = false
  let paused = false
  let wake = () => {}
  const stop = () => {
    if (over) return
    over = true
    wake()
    close?.()
  }
  /** @param {import('../../../../actions/copy-range/transport').Taker} taker */
  async function pass(taker) {
    let failed
    try {
      for await (const { bytes, slab } of pieces) {
        while (paused && !over) await new Promise(resolve => (wake = () => resolve(undefined)))
        if (!over) taker.data(bytes, slab)
        if (over) return
      }
    } catch (error) {
      failed = error
    }
    if (over) return
    stop()
    if (failed) lost?.(failed)
    taker.end()
  }
  const body = {
    start: pass,
    pause() {
      paused = true
    },
    resume() {
      paused = false
      wake()
    },
  }
  return { body, stop }
}

/**
 * Where in the object the body of a PUT begins.
 * @param {WireRequest['headers']} headers
 * @returns {number | undefined} undefined: it is the whole object
 */
function placeOf(headers) {
  const [, from] = /^bytes (\d+)-\d+\/\d+$/.exec(headers['content-range'] ?? '') ?? []
  return from === undefined ? undefined : Number(from)
}

module.exports = { answerOf, bodyOf, contentOf, placeOf, rangeOf, refusalOf }
