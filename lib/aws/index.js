'use strict'

/** What every client of an AWS service shares: profiles, credentials, signatures. */

/** Loaded where a name is in none of the files of AWS. @type {typeof import('./remotes')} */
const remotes = {
  everyProfile: (...args) => require('./remotes').everyProfile(...args),
  bindableProfiles: (...args) => require('./remotes').bindableProfiles(...args),
  writeProfiles: (...args) => require('./remotes').writeProfiles(...args),
  findRemote: (...args) => require('./remotes').findRemote(...args),
}

module.exports = { ...require('./profiles'), ...require('./sigv4'), ...remotes }
