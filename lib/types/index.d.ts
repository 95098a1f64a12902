/**
 * The shapes that cross a module boundary: those of lib/api, which users meet, and the inner ones. Everything that one file
 * alone knows is typed in that file.
 * Sizes are bytes, times are milliseconds, points in time are milliseconds since the epoch.
 */

export type * from '../index'
export * from './data'
export * from '../engines/contract'
export * from '../stores/contract'
export * from '../stores/s3/types'
export * from './events'
export * from './writing'
export * from './journal'
export * from './listing'
export * from './manifest'

export type { JobWish, SideOptions } from './wishes'
export type { XferError } from '../errors/xfer-error'
