'use strict'

/** Containers: listed, and created. */

const { XferError } = require('../../errors')

/**
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'facts'>} control
 * @returns {Required<Pick<import('../contract').Store, 'containers' | 'makeContainer'>>}
 */
function createContainers({ call, facts }) {
  /** Whether a creation was sent, whose answer may have been lost. */
  let sent = false
  return {
    /** https://learn.microsoft.com/rest/api/storageservices/list-containers2 */
    async containers({ marker }, { signal } = {}) {
      const { values } = await call(
        {
          ...{ operation: 'List Containers', kind: 'account', method: 'GET', service: true, statuses: [200] },
          query: { comp: 'list', marker },
        },
        signal,
      )
      const wrong = (/** @type {string} */ reason) => new XferError('BAD_ANSWER', { ...facts, reason })
      const next = values.NextMarker || undefined
      if (next !== undefined && next === marker) throw wrong('it continues a list of containers where it began')
      const containers = (values.Containers?.Container ?? []).map(
        (/** @type {{ Name?: string, Properties?: Record<string, string> }} */ { Name, Properties }) => {
          if (!Name) throw wrong('it lists a container without its name')
          const createdMs = Date.parse(Properties?.['Last-Modified'] ?? '')
          return { name: Name, ...(!Number.isNaN(createdMs) && { createdMs }) }
        },
      )
      return { containers, ...(next !== undefined && { next }) }
    },

    /** https://learn.microsoft.com/rest/api/storageservices/create-container */
    async makeContainer({ region }, { signal } = {}) {
      if (region !== undefined) {
        const text = 'A container is in the region of its storage account.'
        throw new XferError('USAGE', { text, advice: 'Leave out --region, or name an account of that region.' })
      }
      const again = sent
      sent = true
      await call(
        {
          ...{ operation: 'Create Container', kind: 'write', method: 'PUT', statuses: [201] },
          query: { restype: 'container' },
        },
        signal,
      ).catch((/** @type {import('../../types').XferError} */ error) => {
        const { storeCode } = error.facts
        if (storeCode === 'ContainerBeingDeleted') {
          const reason = 'a container of this name is being deleted, which takes half a minute or longer'
          throw new XferError('STORE_REFUSED', { ...error.facts, reason }, { cause: error })
        }
        if (storeCode !== 'ContainerAlreadyExists') throw error
        // The answer to the attempt before was lost.
        if (!again) throw new XferError('CONTAINER_EXISTS', { ...facts, storeCode }, { cause: error })
      })
    },
  }
}

module.exports = { createContainers }
