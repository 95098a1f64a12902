'use strict'

/** The line that ends an activation's output, on both streams; upstream: Container.scala ACTIVATION_LOG_SENTINEL. */
const SENTINEL = 'XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX'

module.exports = { SENTINEL }
