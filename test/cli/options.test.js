'use strict'

/** What the library gets of the flags of a command line. */

const { optionsOf } = require('../../cli/options')

const source = { profile: 'old', endpointUrl: 'http://here' }

test.each([
  ['of one side together', { sourceProfile: 'old', sourceEndpointUrl: 'http://here' }, { source }],
  [
    'of both sides apart',
    { sourceProfile: 'old', destProfile: 'new', destRegion: 'eu' },
    { source: { profile: 'old' }, destination: { profile: 'new', region: 'eu' } },
  ],
  ['of the command beside them', { chunk: '8', destRegion: 'eu' }, { chunk: '8', destination: { region: 'eu' } }],
  ['that are for the command line alone left out', { quiet: true, chunk: '8' }, { chunk: '8' }],
  ['a switch that says no as it was given', { clobber: false }, { clobber: false }],
])('options %s', (_, flags, options) => expect(optionsOf('copy', flags)).toEqual(options))
