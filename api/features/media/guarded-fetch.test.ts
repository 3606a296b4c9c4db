import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { guardedFetch, type FetchOptions } from './guarded-fetch.ts'
import { png } from './test/helpers.ts'

const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function listening(server: ReturnType<typeof createSocketServer>, host: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

async function serve(answer: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server: Server = createServer(answer)
  open.push({ close: () => (server.closeAllConnections(), server.close()) })
  return listening(server, host)
}

/** A raw socket server, for HTTP that no library would produce. */
async function speak(bytes: string): Promise<string> {
  const server = createSocketServer((socket) => socket.on('error', () => undefined).end(bytes, 'latin1'))
  open.push(server)
  return listening(server, '127.0.0.1')
}

const names =
  (hosts: Readonly<Record<string, readonly string[]>>): NonNullable<FetchOptions['lookup']> =>
  async (hostname) =>
    (hosts[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const inside = (options: FetchOptions = {}) => guardedFetch({ allowPrivate: true, ...options })

describe('an address in the private network', () => {
  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://%31%32%37.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'http://[2001:db8::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456:789a::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
  ])('%s is never called [S49]', async (url) => {
    expect(await guardedFetch()(url)).toEqual({
      kind: 'refused',
      reason: 'private-network',
      sentence: "The image's address belongs to a private network.",
    })
  })

  it.each([
    ['its only address', ['10.0.0.1']],
    ['one among public ones', ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '192.168.0.1']],
    ['a mapped one', ['::ffff:10.0.0.1']],
    ['one with a zone', ['fe80::1%eth0']],
  ])('is detected behind a host name: %s', async (_, addresses) => {
    const answer = await guardedFetch({ lookup: names({ 'images.example': addresses }) })(
      'https://images.example/a.png',
    )
    expect(answer).toMatchObject({ kind: 'refused', reason: 'private-network' })
  })

  it('may be allowed by the operator, except ranges without image servers', async () => {
    const url = await serve((_, response) => response.end(png()))
    expect(await inside()(url)).toEqual({ kind: 'fetched', bytes: png() })
    for (const never of ['http://169.254.169.254/', 'http://0.0.0.0/', 'http://[fe80::1]/', 'http://224.0.0.1/']) {
      expect(await inside()(never)).toMatchObject({ reason: 'private-network' })
    }
  })

  it('is not reached through a redirect', async () => {
    const secret = 'http://169.254.169.254/latest/meta-data/'
    const url = await serve((_, response) => response.writeHead(302, { Location: secret }).end())
    expect(await inside()(url)).toMatchObject({ kind: 'refused', reason: 'private-network' })
  })

  it('is not reached through a name that resolves differently the second time', async () => {
    const asked: string[] = []
    const good = await serve((request, response) => response.end(png(5, 5, request.headers.host === undefined ? 0 : 9)))
    const { port } = new URL(good)
    const evil = createServer((_, response) => response.end('secret')).listen(Number(port), '127.0.0.2')
    open.push({ close: () => (evil.closeAllConnections(), evil.close()) })
    const lookup = async (hostname: string) => {
      asked.push(hostname)
      return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    }
    expect(await inside({ lookup })(`http://rebinding.example:${port}/`)).toEqual({
      kind: 'fetched',
      bytes: png(5, 5, 9),
    })
    expect(asked).toEqual(['rebinding.example'])
  })
})

describe('an invalid web address', () => {
  it.each([
    ['file:///etc/passwd', 'not-a-web-address'],
    ['ftp://example.com/a.png', 'not-a-web-address'],
    ['data:image/png;base64,AAAA', 'not-a-web-address'],
    ['gopher://127.0.0.1:6379/_SET', 'not-a-web-address'],
    ['javascript:alert(1)', 'not-a-web-address'],
    ['//example.com/a.png', 'not-a-web-address'],
    ['http://', 'not-a-web-address'],
    ['http://1.2.3.4.5.6/', 'not-a-web-address'],
    ['https://ann:secret@example.com/a.png', 'has-credentials'],
    ['http://example.com:22/', 'port'],
    ['http://example.com:6379/', 'port'],
  ])('%s: %s', async (url, reason) => {
    const answer = await guardedFetch({ lookup: names({}) })(url)
    expect(answer).toMatchObject({ kind: 'refused', reason })
    expect(answer).toHaveProperty('sentence', expect.stringMatching(/^[A-Z].*\.$/))
  })

  it.each(['file:///etc/passwd', 'https://ann:secret@example.com/a.png', 'http://['])(
    'is not followed as a redirect either: %s',
    async (location) => {
      const url = await serve((_, response) => response.writeHead(301, { Location: location }).end())
      expect(await inside()(url)).toMatchObject({
        kind: 'refused',
        reason: location.startsWith('https') ? 'has-credentials' : 'not-a-web-address',
      })
    },
  )
})

describe('redirects', () => {
  it('are followed three times, with the host name checked each time', async () => {
    const asked: string[] = []
    const url = await serve((request, response) => {
      const hop = Number(request.url?.slice(1))
      if (hop === 3) response.end(png())
      else
        response
          .writeHead(307, { Location: `http://hop${hop + 1}.example:${request.socket.localPort}/${hop + 1}` })
          .end()
    })
    const lookup = async (hostname: string) => (asked.push(hostname), [{ address: '127.0.0.1', family: 4 }])
    expect(await inside({ lookup })(`${url}/0`)).toMatchObject({ kind: 'fetched' })
    expect(asked).toEqual(['hop1.example', 'hop2.example', 'hop3.example'])
  })

  it('in a loop end', async () => {
    let requests = 0
    const url = await serve((_, response) => (requests++, response.writeHead(302, { Location: '/again' }).end()))
    expect(await inside()(url)).toMatchObject({ kind: 'refused', reason: 'too-many-redirects' })
    expect(requests).toBe(4)
  })
})

describe('a faulty image server', () => {
  it('that answers an error is reported with its status', async () => {
    const url = await serve((_, response) => response.writeHead(404).end('<h1>Not found</h1>'))
    expect(await inside()(url)).toEqual({
      kind: 'refused',
      reason: 'answered',
      status: 404,
      sentence: "The image's address answered 404.",
    })
  })

  it.each([
    ['never answers', () => undefined],
    ['never ends', (_, response) => void response.write(png().subarray(0, 20))],
    [
      'trickles',
      (_, response) => {
        const dripping = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(dripping))
      },
    ],
  ] satisfies [string, RequestListener][])('%s: the request times out', async (_, listener) => {
    const answer = await inside({ timeoutMs: 200 })(await serve(listener))
    expect(answer).toMatchObject({
      kind: 'refused',
      reason: 'too-slow',
      sentence: "The image's address took longer than 0.2 seconds.",
    })
  })

  it('whose name never resolves times out', async () => {
    const answer = await guardedFetch({ timeoutMs: 50, lookup: () => new Promise(() => undefined) })(
      'http://slow.example/',
    )
    expect(answer).toMatchObject({ kind: 'refused', reason: 'too-slow' })
  })

  it('that announces too large a body has none of it read', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'Content-Length': 16 * 1024 * 1024 }).flushHeaders(),
    )
    expect(await inside()(url)).toMatchObject({
      kind: 'refused',
      reason: 'too-large',
      sentence: 'The image is larger than 15 MB.',
    })
  })

  it('that sends an endless body is cut off', async () => {
    let close = () => undefined as void
    const closed = new Promise<void>((resolve) => (close = resolve))
    const url = await serve((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return
      }
      response.on('drain', more).on('close', close)
      more()
    })
    expect(await inside({ maxBytes: 1024 * 1024 })(url)).toMatchObject({
      reason: 'too-large',
      sentence: 'The image is larger than 1 MB.',
    })
    await closed
  })

  it('that sends more than it announced has no more read than that', async () => {
    const url = await speak(`HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n${'x'.repeat(5_000_000)}`)
    expect(await inside()(url)).toEqual({ kind: 'fetched', bytes: Buffer.from('x'.repeat(10)) })
  })

  it.each([
    ['ends before it said', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort'],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['hangs up', ''],
  ])('%s: is reported, without a crash', async (_, bytes) => {
    expect(await inside()(await speak(bytes))).toMatchObject({
      kind: 'refused',
      reason: 'unreachable',
      sentence: "The image's address can't be reached.",
    })
  })

  it('that does not exist is reported', async () => {
    const nowhere = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    expect(await guardedFetch({ lookup: nowhere })('http://nowhere.example/')).toMatchObject({ reason: 'no-such-host' })
    expect(await guardedFetch({ lookup: names({}) })('http://nowhere.example/')).toMatchObject({
      reason: 'no-such-host',
    })
  })
})
