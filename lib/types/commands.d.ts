/** Results of the commands that copy nothing: `xfer doctor`, `xfer deploy`. */

/** What one check found. */
export interface Finding {
  /** null: not checked */
  ok: boolean | null
  /** one sentence: what was found, or why nothing was checked */
  detail: string
  /** one sentence: what to do; if `ok` is true it is a warning */
  hint?: string
}

export type Checked = Finding & { name: string }

export interface DeployedAction {
  /** `package/action` */
  name: string
  /** missing: there was nothing to remove */
  outcome: 'created' | 'updated' | 'unchanged' | 'removed' | 'missing'
  version?: string
  /** what an update changed: `code`, `ca-bundle`, `runtime`, `timeout`, `memory`, `logs`, `access`, names of annotations */
  changes?: string[]
  /** settings that were kept although the manifest has other values: memory in megabytes, timeout in seconds */
  kept?: {
    memory?: number
    timeout?: number
    runtime?: string
    caBundle?: true
    hosts?: string[]
    metadata?: boolean
  }
}

export interface Deployed {
  apihost: string
  actions: DeployedAction[]
}

export interface Undeployed extends Deployed {
  packages: Array<{ name: string; outcome: 'removed' | 'kept' | 'missing' }>
}
