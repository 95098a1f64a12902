'use strict'

/** @import { Container, ContainerAnswer, Fault } from './types' */

/**
 * One call of /run, and what its fault makes of it.
 *
 * @param {Container} container
 * @param {unknown} body
 * @param {{ timeoutMs: number, maxBytes: number, onSent: () => void }} options
 * @param {Fault} fault
 * @returns {Promise<{ answer: ContainerAnswer, outOfMemory: boolean }>}
 */
async function runWithFault(container, body, { onSent, ...limits }, { answer: told, death, rerun, killAfterMs }) {
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
  if (!killed) return { answer: told && given.kind === 'answer' ? answerOf(told, limits) : given, outOfMemory: false }
  return {
    answer: death === 'time' ? { kind: 'timeout' } : { kind: 'gone', refused: false },
    outOfMemory: death === 'memory',
  }
}

/**
 * @param {NonNullable<Fault['answer']>} told
 * @param {{ maxBytes: number }} limits
 * @returns {ContainerAnswer}
 */
function answerOf({ status = 200, body }, { maxBytes }) {
  const bytes = Buffer.from(JSON.stringify(body))
  const text = bytes.subarray(0, maxBytes).toString()
  return { kind: 'answer', status, text, bytes: bytes.length, truncated: bytes.length > maxBytes }
}

module.exports = { runWithFault }
