'use strict'

/** Draws of many kinds from one source of randomness: pure. */

const MiB = 1024 ** 2

/** @param {() => number} random */
function diceOf(random) {
  /** @param {number} least @param {number} most @returns {number} both included */
  const integer = (least, most) => least + Math.floor(random() * (most - least + 1))
  return {
    integer,
    /** @template T @param {readonly T[]} list @returns {T} */
    pick: list => list[integer(0, list.length - 1)],
    /** @param {number} share */
    chance: share => random() < share,
    seed: () => integer(1, 2 ** 31),
  }
}

module.exports = { diceOf, MiB }
