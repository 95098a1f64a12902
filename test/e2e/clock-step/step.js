'use strict'

/** Loaded into the real program and its threads: `Date` steps once, as where the machine's clock is set. */

const { STEP_MS, STEP_AFTER_MS } = process.env
const RealDate = Date
const stepAtMs = performance.timeOrigin + Number(STEP_AFTER_MS)
const now = () => RealDate.now() + (RealDate.now() >= stepAtMs ? Number(STEP_MS) : 0)

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now())
    else super(...given)
  }

  static now() {
    return now()
  }
}
