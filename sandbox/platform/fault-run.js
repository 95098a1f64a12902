'use strict'

/** @import { Container, ContainerAnswer, Fault } from './types' */

/**
 * Calls /run once, with the effects of the call's fault.
 *
 * @param {Container} container
 * @param {unknown} body
 * @param {{ timeoutMs: number, maxBytes: number, onSent: () => void }} options
 * @param {Fault} fault
 * @returns {Promise<{ answer: ContainerAnswer, outOfMemory: boolean }>}
 */
async function runWithFault(
  container,
  body,
  { onSent, ...limits },
  { answer: replacement, death, rerun, killAfterMs },
) {
  let killed = false
  const kill = () => {
    killed = true
    container.kill()
  }
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const given = await container.post('/run', body, {
    ...limits,
    onSent() {
      onSent()
      if (killAfterMs !== undefined) timer = setTimeout(kill, killAfterMs)
    },
  })
  clearTimeout(timer)
  if ((death || rerun) && killAfterMs === undefined) kill()
  if (!killed)
    return {
      answer: replacement && given.kind === 'answer' ? answerOf(replacement, limits) : given,
      outOfMemory: false,
    }
  return {
    answer: death === 'time' ? { kind: 'timeout' } : { kind: 'gone', refused: false },
    outOfMemory: death === 'memory',
  }
}

/**
 * @param {NonNullable<Fault['answer']>} replacement
 * @param {{ maxBytes: number }} limits
 * @returns {ContainerAnswer}
 */
function answerOf({ status = 200, body }, { maxBytes }) {
  const bytes = Buffer.from(JSON.stringify(body))
  const text = bytes.subarray(0, maxBytes).toString()
  return { kind: 'answer', status, text, bytes: bytes.length, truncated: bytes.length > maxBytes }
}

module.exports = { runWithFault }
