'use strict'

const v8 = require('node:v8')
const vm = require('node:vm')

/**
 * Half of what the program holds once a copy is under way is left from loading its modules, and too little is made then
 * for V8 to look after it: it is collected once, which takes some twenty milliseconds and gives several megabytes back.
 */
function collectGarbage() {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc')
  v8.setFlagsFromString('--no-expose-gc')
  collect()
}

/**
 * Of a thousand calls in flight most memory is garbage that V8 lets lie until its heap has grown by half again and more:
 * collecting a little earlier keeps the process small, and costs it next to no time. Likewise the room for new objects,
 * which would grow to 48 MB and stay so: what a copy makes is short-lived. Not below a prefix, where thousands of objects
 * are under way and a third of the time would go into collecting. Not earlier, for what loading makes stays. See
 * docs/design/wire.md, "Memory".
 *
 * @param {boolean} many
 */
function staySmall(many) {
  v8.setFlagsFromString('--heap-growing-percent=50')
  if (!many) v8.setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * The same listener, that has the program stay small from the first event on, when all is loaded, and tidies up at the first
 * progress: a copy that is done sooner needs it not.
 *
 * @param {(event: any) => void} onEvent
 * @returns {(event: any) => void}
 */
function tidying(onEvent) {
  let small = false
  let tidied = false
  return event => {
    onEvent(event)
    if (!small) staySmall(event.recursive !== undefined)
    small = true
    if (tidied || event.type !== 'progress') return
    tidied = true
    collectGarbage()
  }
}

module.exports = { tidying }
