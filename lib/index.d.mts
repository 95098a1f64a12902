/** The types of the library for ES modules: those of index.d.ts, and the library as the default export. */

import type * as xfer from './index.js'

export * from './index.js'

declare const library: typeof xfer
export default library
