/** The settings of files for one side. */

import type { StoreSettings } from '../contract'

export interface FileSettings extends StoreSettings {
  /** Whether symbolic links below the root are followed, wherever they lead. */
  followLinks: boolean
}
