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
 * The same listener, that tidies up at the first progress: a copy that is done sooner needs it not.
 *
 * @param {(event: any) => void} onEvent
 * @returns {(event: any) => void}
 */
function tidying(onEvent) {
  let tidied = false
  return event => {
    onEvent(event)
    if (tidied || event.type !== 'progress') return
    tidied = true
    collectGarbage()
  }
}

module.exports = { tidying }
