// The declarations need no types of Node.js.

import { copy } from 'xfer'

export const bytesOf = async (source: string, destination: string): Promise<number> => {
  const { bytes } = await copy(source, destination, { env: { HOME: '/home/me' } })
  return bytes
}
