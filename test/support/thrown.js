'use strict'

/** @param {() => unknown} call @returns {any} what it throws */
function thrownBy(call) {
  try {
    call()
  } catch (error) {
    return error
  }
}

module.exports = { thrownBy }
