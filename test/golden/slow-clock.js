'use strict'

/**
 * Loaded into the program before it starts: its clock is ten times slower, and so are its long timers. An object whose copy takes
 * longer than two seconds is looked at again (`LONGEST_COPY_S`), and one that is written three seconds after another gets a list of
 * its own (`WAIT_MS` of the last look), which on a busy machine would be another recording.
 */

const LONG_MS = 3_000

const { now } = Date
const startMs = now()
Date.now = () => startMs + Math.floor((now() - startMs) / 10)

const { setTimeout: start } = globalThis
globalThis.setTimeout = Object.assign(
  (/** @type {any} */ callback, /** @type {number} */ ms, /** @type {any[]} */ ...more) =>
    start(callback, ms >= LONG_MS ? 10 * ms : ms, ...more),
  start,
)
