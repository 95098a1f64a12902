'use strict'

/** Options of `xfer serve`, which only the command line has. */

const { each } = require('./commands')

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
  ...each({ group: 'failures', type: 'duration', unit: 's', most: 86_400_000 }, [
    {
      name: 'timeout',
      least: 5_000,
      default: '300s',
      help: 'how long an invocation may run',
    },
    {
      name: 'heartbeat',
      least: 1_000,
      most: 60_000,
      default: '10s',
      help: 'how often a running invocation sends a blank, so that no balancer cuts it',
    },
    {
      name: 'drain',
      least: 0,
      default: '25s',
      help: 'how long what runs may go on after SIGTERM',
    },
  ]),
  ...each({ group: 'deployment' }, [
    {
      name: 'caBundle',
      type: 'file',
      defaultText: 'AWS_CA_BUNDLE',
      help: 'file of certificates (PEM) to trust in addition to the usual ones, for stores',
    },
    {
      name: 'allowHosts',
      type: 'hosts',
      defaultText: '*',
      help: 'hosts that the worker may connect to: names, *.names, addresses and ranges, joined by commas',
    },
    {
      name: 'allowMetadata',
      help: 'let the worker connect to link-local and metadata addresses',
    },
  ]),
])
