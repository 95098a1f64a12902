/** The settings of files for one side. */

import type { StoreSettings } from '../contract'

export interface FileSettings extends StoreSettings {
  /** Whether symbolic links below the root are followed, wherever they lead. */
  followLinks: boolean
  /** Whether a target is written itself, and not under another name beside it. */
  inplace: boolean
  /** Whether permissions are noted as the metadata `mode`, and taken from there. */
  preserveMode: boolean
}
