'use strict'

/** What every client of an AWS service shares: profiles, credentials, signatures. */

/** Loaded where a name is in none of the files of AWS. @type {Pick<typeof import('./remotes'), 'everyProfile' | 'findRemote'> & typeof import('./bindable')} */
const remotes = {
  everyProfile: (...args) => require('./remotes').everyProfile(...args),
  bindableProfiles: (...args) => require('./bindable').bindableProfiles(...args),
  writeProfiles: (...args) => require('./bindable').writeProfiles(...args),
  findRemote: (...args) => require('./remotes').findRemote(...args),
}

module.exports = { ...require('./profiles'), ...require('./sigv4'), ...remotes }
