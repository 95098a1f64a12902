/** Types of dependencies that have none, as far as xfer uses them. */

declare module 'async-retry' {
  function retry<T>(
    attempt: (bail: (error: Error) => undefined, attempt: number) => Promise<T>,
    options: { retries: number; minTimeout: number; maxTimeout: number; factor: number; randomize: boolean },
  ): Promise<T>
  export = retry
}

declare module 'async-await-parallel' {
  const parallel: {
    /** Runs `task` at most `size` times at once; a task that resolves to false stops new ones. */
    pool(size: number, task: () => Promise<boolean>): Promise<void>
  }
  export = parallel
}

declare module 'mime-types' {
  /** @param ending without its dot */
  export function lookup(ending: string): string | false
}

/** Required by the declarations of a client, which does not depend on it. */
declare module 'swagger-schema-official' {
  export type Spec = unknown
}
