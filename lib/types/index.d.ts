/**
 * The shapes that cross a module boundary. Everything that one file alone knows is typed in that file.
 * Sizes are bytes, times are milliseconds, points in time are milliseconds since the epoch.
 */

export * from './data'
export * from '../engines/contract'
export * from '../stores/contract'
export * from '../stores/s3/types'
export * from './planning'
export * from './notices'
export * from './options'
export * from './public'
export * from './writing'
export * from './prefix'
export * from './journal'
export * from './commands'
export * from './jobs'
export * from './verify'
export * from './listing'

export type { XferError } from '../errors/xfer-error'
