/**
 * The shapes that cross a module boundary. Everything that one file alone knows is typed in that file.
 * Sizes are bytes, times are milliseconds, points in time are milliseconds since the epoch.
 */

export * from './types/data'
export * from './types/settings'
export * from './engines/contract'
export * from './stores/contract'
export * from './types/planning'
export * from './types/notices'
export * from './types/options'
export * from './types/public'
export * from './types/prefix'
export * from './types/journal'
export * from './types/jobs'
export * from './types/verify'
export * from './types/listing'

export type XferError = import('./errors').XferError
