'use strict'

/** Options of `xfer serve`, which only the command line has. */

const { each } = require('./each')

/** @type {import('../contract').OptionSpec[]} */
module.exports = each({ commands: ['serve'], cliOnly: true }, [
  ...each({ group: 'common' }, [
    {
      name: 'port',
      type: 'count',
      least: 0,
      most: 65_535,
      defaultText: 'PORT, else 8080',
      help: 'port to listen on; 0: any that is free',
    },
    {
      name: 'host',
      value: 'address',
      defaultText: '0.0.0.0 with a token, else 127.0.0.1',
      help: 'address to listen on',
    },
    {
      name: 'tlsCert',
      type: 'file',
      help: 'file with the certificate of the worker and of its authorities (PEM), for https',
    },
    {
      name: 'tlsKey',
      type: 'file',
      help: 'file with the key of the certificate (PEM)',
    },
    {
      name: 'places',
      type: 'count',
      least: 1,
      most: 1_000,
      default: '32',
      help: 'invocations at once; each needs some megabytes',
    },
  ]),
  {
    name: 'timeout',
    type: 'duration',
    unit: 's',
    least: 5_000,
    most: 86_400_000,
    default: '300s',
    help: 'how long an invocation may run',
    group: 'failures',
  },
  {
    name: 'heartbeat',
    type: 'duration',
    unit: 's',
    least: 1_000,
    most: 60_000,
    default: '10s',
    help: 'how often a running invocation sends a blank, so that no balancer cuts it',
    group: 'failures',
  },
  {
    name: 'drain',
    type: 'duration',
    unit: 's',
    least: 0,
    most: 86_400_000,
    default: '25s',
    help: 'how long what runs may go on after SIGTERM',
    group: 'failures',
  },
  {
    name: 'caBundle',
    type: 'file',
    defaultText: 'AWS_CA_BUNDLE',
    help: 'file of certificates (PEM) to trust in addition to the usual ones, for stores',
    group: 'deployment',
  },
  {
    name: 'allowHosts',
    type: 'hosts',
    defaultText: '*',
    help: 'hosts that the worker may connect to: names, *.names, addresses and ranges, joined by commas',
    group: 'deployment',
  },
  {
    name: 'allowMetadata',
    help: 'let the worker connect to link-local and metadata addresses',
    group: 'deployment',
  },
])
