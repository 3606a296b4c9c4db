import { expect, it } from 'vitest'
import { hostsOf, isCluster, ofNode, userOf, usesTls, withOptions } from './eventstoredb-address.ts'

const cluster = 'esdb://social%20ai:p%40ss@one:2113,two/?tls=true&nodePreference=follower'

it.each([
  ['esdb://one:2113', [{ host: 'one', port: 2113 }], false, null, true],
  ['esdb://one?TLS=false', [{ host: 'one', port: 2113 }], false, null, false],
  ['esdb+discover://ann:pw@names?tls=true', [{ host: 'names', port: 2113 }], true, 'ann', true],
  [
    cluster,
    [
      { host: 'one', port: 2113 },
      { host: 'two', port: 2113 },
    ],
    true,
    'social ai',
    true,
  ],
] as const)('The nodes, the user and TLS of %s are known', (url, hosts, several, user, tls) => {
  expect(hostsOf(url)).toEqual(hosts)
  expect([isCluster(url), userOf(url), usesTls(url)]).toEqual([several, user, tls])
})

it('Options are put before those that are given, which then count, or after them', () => {
  const changed = withOptions(cluster, { before: { gossipTimeout: '1' }, after: { nodePreference: 'leader' } })
  expect(changed).toBe(
    'esdb://social%20ai:p%40ss@one:2113,two?gossipTimeout=1&tls=true&nodePreference=follower&nodePreference=leader',
  )
  expect(withOptions('esdb://one', { before: { gossipTimeout: '1' } })).toBe('esdb://one?gossipTimeout=1')
})

it('A single node is reached with the same user and options', () => {
  expect(ofNode(cluster, { host: 'localhost', port: 5 })).toBe(
    'esdb://social%20ai:p%40ss@localhost:5?tls=true&nodePreference=follower',
  )
  expect(ofNode('esdb+discover://names', { host: 'one', port: 2113 })).toBe('esdb://one:2113')
})
