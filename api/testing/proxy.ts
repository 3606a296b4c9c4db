/** What is wrong with the proxy's configuration, judged by the services that it stands between. */
import { maxImageBytes } from '../contract/limits.ts'
import { maxConnectionsPerAddress } from '../runtime/listen.ts'
import type { Used } from './images.ts'

interface Directive {
  /** The blocks that it stands in, outermost first: `server location /`. */
  readonly within: string
  readonly name: string
  readonly values: readonly string[]
}

/** https://nginx.org/en/docs/dirindex.html, as far as they are used here. */
const known = [
  'upstream',
  'zone',
  'resolver',
  'server',
  'keepalive',
  'map',
  'default',
  '""',
  'listen',
  'client_max_body_size',
  'set_real_ip_from',
  'real_ip_header',
  'location',
  'proxy_pass',
  'proxy_http_version',
  'proxy_set_header',
  'proxy_buffering',
  'proxy_read_timeout',
  'return',
  'set',
  'limit_conn_zone',
  'limit_conn',
  'limit_conn_status',
]
/** Docker's own, inside every network that a composition makes. https://docs.docker.com/engine/network/#dns-services */
const nameServer = '127.0.0.11'
const privateNetworks = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1', 'fc00::/7']

/** Paths that only operators may see; a router may take them with a slash at their end too. */
export const closedPaths = ['/metrics', '/readyz']

function directivesOf(text: string): Directive[] {
  const found: Directive[] = []
  const blocks: string[] = []
  let words: string[] = []
  for (const [token] of text.replaceAll(/#.*$/gm, '').matchAll(/"[^"]*"|[^\s;{}]+|[;{}]/g)) {
    if (token !== ';' && token !== '{' && token !== '}') {
      words.push(token)
      continue
    }
    const [name, ...values] = words
    if (name !== undefined) found.push({ within: blocks.join(' '), name, values })
    if (token === '{') blocks.push(words.join(' '))
    if (token === '}') blocks.pop()
    words = []
  }
  return found
}

interface Served extends Used {
  readonly networks: readonly string[]
}

export function ofProxy(nginx: string, services: Readonly<Record<string, Served>>): string[] {
  const directives = directivesOf(nginx)
  const all = (name: string, within?: string) =>
    directives
      .filter((one) => one.name === name && (within === undefined || one.within === within))
      .map(({ values }) => values)
  const one = (name: string, within?: string) => all(name, within)[0]?.join(' ')
  const [proxy, api] = [services['proxy'], services['api']]
  const [upstream = ''] = all('upstream', '')[0] ?? []
  const inside = `upstream ${upstream}`
  const inSandbox = 'server location ~ ^/sandbox(/|$)'
  const [target = '', ...options] = all('server', inside)[0] ?? []
  const [host = '', port = ''] = target.split(':')
  const headers = Object.fromEntries(all('proxy_set_header', 'server').map(([name = '', value = '']) => [name, value]))
  const trusted = all('set_real_ip_from', 'server').flat()
  const most = Number(/^(\d+)m$/.exec(one('client_max_body_size', 'server') ?? '')?.[1] ?? 0)
  const idle = Number(/^(\d+)s$/.exec(one('proxy_read_timeout', 'server location /') ?? '')?.[1] ?? 0)
  /** Prefixes count after expressions: https://nginx.org/en/docs/http/ngx_http_core_module.html#location */
  const isClosed = (path: string) => {
    const expressions = all('location', 'server').filter(([kind]) => kind === '~')
    const [, expression] = expressions.find(([, written = '']) => new RegExp(written).test(path)) ?? []
    return expression !== undefined && one('return', `server location ~ ${expression}`) === '404'
  }
  const says = (holds: boolean, sentence: string) => (holds ? [] : [`proxy: ${sentence}`])
  return [
    ...directives.filter(({ name }) => !known.includes(name)).map(({ name }) => `proxy: nginx knows no ${name}`),
    ...says(
      proxy !== undefined && proxy.ports.every((published) => published.endsWith(`:${one('listen', 'server')}`)),
      'it listens elsewhere than where it is published',
    ),
    ...says(services[host] === api && port === api?.environment['PORT'], `nobody is at ${target}`),
    ...says(
      services[host]?.networks.some((network) => proxy?.networks.includes(network)) === true,
      `it shares no network with ${host}`,
    ),
    ...says(one('proxy_pass', 'server location /') === `http://${upstream}`, 'it passes nothing on to the API'),
    // Names are looked up again while it runs only with all three of them:
    // https://nginx.org/en/docs/http/ngx_http_upstream_module.html#resolve
    ...says(
      options.includes('resolve') &&
        one('resolver', inside)?.split(' ')[0] === nameServer &&
        all('zone', inside)[0]?.length === 2,
      'an API that starts again under another address is not found',
    ),
    ...says(most * 1024 * 1024 >= maxImageBytes, 'it refuses images that the API takes'),
    ...says(one('proxy_buffering', 'server location /') === 'off', 'it keeps news back'),
    ...says(idle > 60, 'it cuts news off between two of them'),
    ...says(
      one('proxy_http_version', 'server') === '1.1' && headers['Connection'] === '""',
      'it opens a connection for each request',
    ),
    ...says(headers['Host'] === '$http_host', 'it passes another host on than was asked'),
    ...says(
      one('real_ip_header', 'server') === 'X-Forwarded-For' &&
        trusted.length > 0 &&
        trusted.every((network) => privateNetworks.includes(network)),
      'it takes what ends TLS for the caller, or anybody for what ends TLS',
    ),
    ...says(headers['X-Forwarded-For'] === '$remote_addr', 'it passes on addresses that a caller can make up'),
    ...says(
      headers['X-Request-Id'] === one('map', '')?.split(' ')[1] && one('""', `map ${one('map', '')}`) === '$request_id',
      'a request comes without a number',
    ),
    ...says(
      one('limit_conn_zone', '') === `$binary_remote_addr zone=${all('limit_conn', 'server')[0]?.[0]}:10m` &&
        all('limit_conn', 'server')[0]?.[1] === String(maxConnectionsPerAddress),
      'one caller can take all of its connections',
    ),
    // A name in a variable is looked up when it is asked for: the proxy starts without a sandbox too.
    // https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_pass
    ...says(
      one('set', inSandbox) === `$sandbox sandbox:${services['sandbox']?.environment['PORT']}` &&
        one('proxy_pass', inSandbox) === 'http://$sandbox' &&
        one('resolver', 'server')?.split(' ')[0] === nameServer,
      'it does not serve the sandbox',
    ),
    ...says(
      services['sandbox']?.networks.some((network) => proxy?.networks.includes(network)) === true,
      'it shares no network with the sandbox',
    ),
    ...says(
      closedPaths.every((path) => isClosed(path) && isClosed(`${path}/`)),
      'it shows the world what is for operators',
    ),
    ...says(api?.environment['TRUST_PROXY'] === 'true', 'the API takes it for the caller'),
  ]
}
