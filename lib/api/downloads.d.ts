/** The events of `download`, which are those of `xfer cat --json`. */

import type { EnginePlan, ErrorEvent, EventBase, ProgressEvent, TransferEvent } from './events'
import type { Download } from './summaries'

/** How an object will be read: once, before anything is read. */
export interface DownloadPlanEvent extends EventBase, Omit<EnginePlan, 'destination' | 'endpoints'> {
  type: 'plan'
  /** How many will be handed out. Absent: the server does not tell, and sends no ranges. */
  bytes?: number
  ranges: number
  /** The size of a range. */
  rangeBytes: number
  /** Ranges in memory, at most: read, or being read, and not yet handed out. */
  ahead: number
}

/** The last event of a download that succeeded. */
export interface DownloadDoneEvent extends EventBase, Download {
  type: 'done'
}

/** The events of `download`. */
export type DownloadEvent = DownloadPlanEvent | TransferEvent | ProgressEvent | DownloadDoneEvent | ErrorEvent
