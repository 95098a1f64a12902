/** The class of lib/errors/index.js, as a type for other declarations. */
export type XferError = InstanceType<typeof import('.')['XferError']>
