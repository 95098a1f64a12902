'use strict'

/**
 * A container without a process, as `containerFactory` makes them for simulations.
 *
 * @param {(path: '/init' | '/run') => unknown} answerTo the container's answer, or nothing for a plain success
 * @returns {import('../../../sandbox/platform/types').Container}
 */
function stubContainer(answerTo) {
  /** @type {(end: { outOfMemory: boolean }) => void} */
  let exit = () => {}
  const exited = new Promise(resolve => {
    exit = resolve
  })
  return {
    pid: undefined,
    initialised: false,
    started: Promise.resolve(),
    exited,
    async post(path, _body, { onSent } = {}) {
      onSent?.()
      const given = await answerTo(path)
      return given ?? { kind: 'answer', status: 200, text: '{"ok":true}', bytes: 11, truncated: false }
    },
    takeLogs: async () => ({ lines: [], complete: true }),
    pause() {},
    resume() {},
    kill: () => exit({ outOfMemory: false }),
  }
}

module.exports = { stubContainer }
