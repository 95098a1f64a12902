'use strict'

const v8 = require('node:v8')
const vm = require('node:vm')

const V8_OF_NODE_20 = 11

/**
 * Collects garbage once. When a copy is under way, half of the heap is garbage from loading modules, and a copy allocates
 * too little for V8 to collect it. One collection takes some 20 ms and frees several megabytes.
 */
function collectGarbage() {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc')
  v8.setFlagsFromString('--no-expose-gc')
  collect()
}

/**
 * Keeps the heap small. With a thousand calls in flight most of the heap is garbage that V8 does not collect before the heap
 * has grown by more than half. Collecting a little earlier costs almost no time. The space for new objects would grow to
 * 48 MB and stay so; a copy makes short-lived objects, so it is kept small too. Not for a prefix that functions copy: with
 * thousands of objects under way a third of the time would go into collecting. Not before the modules are loaded, because what
 * loading makes stays. See docs/design/wire.md, "Memory".
 *
 * @param {boolean} thousands whether thousands of objects are under way
 */
function staySmall(thousands) {
  v8.setFlagsFromString('--heap-growing-percent=50')
  if (!thousands) v8.setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Lets V8 optimize functions eight times later than by default. A prefix of a few thousand objects is copied before its
 * optimized code has repaid what it cost to make; what 100,000 objects keep busy is still optimized. It holds for all threads.
 * Newer V8 has a cheaper compiler in between, and may not know the option. See docs/design/prefixes.md, "What a small prefix
 * costs".
 */
function optimizeLater() {
  if (Number.parseInt(process.versions.v8, 10) === V8_OF_NODE_20) v8.setFlagsFromString('--interrupt-budget=1000000')
}

/**
 * Wraps a listener. At the first event, when all modules are loaded, the heap is limited; at the first progress event
 * garbage is collected. A copy that ends before its first progress event does not need that.
 *
 * @param {(event: any) => void} onEvent
 * @returns {(event: any) => void}
 */
function tidying(onEvent) {
  let small = false
  let tidied = false
  return event => {
    onEvent(event)
    const many = event.recursive !== undefined
    if (!small) staySmall(many && event.runsOn === 'platform')
    if (!small && many) optimizeLater()
    small = true
    if (!tidied && event.type === 'progress') collectGarbage()
    tidied ||= event.type === 'progress'
  }
}

module.exports = { tidying }
