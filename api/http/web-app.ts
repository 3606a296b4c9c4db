/** The built web app: its files, and one page for every screen's address. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Request, RequestHandler } from 'express'
import { agencyCookie, readCookie } from './cookies.ts'
import { encodingFor } from './encoding.ts'
import { readStaticFiles, staticFiles } from './static-files.ts'
import { pageThemes, themeOf, withTheme, type PageTheme } from './theme.ts'

interface Settings {
  readonly webRoot: string
  readonly publicUrl: string
  /** The name of the session cookie. */
  readonly cookieName: string
  /** The name of the provider of single sign-on; null without one. */
  readonly signOn: string | null
}

/** Written by the web's build: the files that a screen needs beside those named in the page. */
interface FirstFiles {
  readonly landing: readonly string[]
  /** By the screen's route: `/clients/$id`. */
  readonly signedIn: Readonly<Record<string, readonly string[]>>
}

const firstFilesName = '.first-files.json'
/** Screens that open from a link without a session. */
const forAll: readonly string[] = ['/reset-password', '/confirm-email', '/confirm-address', '/audit/$token']

/** Empty without a built web app. */
export function webApp({ webRoot, publicUrl, cookieName, signOn }: Settings): readonly RequestHandler[] {
  if (!existsSync(join(webRoot, 'index.html'))) return []
  const pages = readPages(webRoot, publicUrl, signOn)
  const hintOf = hints(webRoot)
  const isSignedIn = (request: Request) => readCookie(request.headers.cookie, cookieName) !== null
  return [
    staticFiles(readStaticFiles(webRoot)),
    (request, response, next) => {
      const asksForPage = (request.method === 'GET' || request.method === 'HEAD') && !/\.\w+$/.test(request.path)
      if (!asksForPage) return next()
      const encoding = encodingFor(request)
      const page = pages[themeOf(request.headers.cookie)]
      const { body, etag } = page[encoding]
      response.set({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ETag: etag })
      const hint = hintOf(request.path, isSignedIn(request))
      const data = isSignedIn(request) ? dataOf(request) : []
      if (hint !== '') response.set('Link', [hint, ...preloads(data)].join(', '))
      if (request.fresh) return void response.status(304).end()
      if (encoding !== 'identity') response.set('Content-Encoding', encoding)
      response.type('html').send(body)
    },
  ]
}

/** The page in each theme. Makes the addresses in its share and canonical tags absolute, and names the provider. */
function readPages(webRoot: string, publicUrl: string, signOn: string | null) {
  const provider = signOn === null ? '' : `<meta name="sign-on" content="${escaped(signOn)}" />`
  const html = readFileSync(join(webRoot, 'index.html'), 'utf8')
    .replace(/(property="og:(?:image|url)" content=")\//g, `$1${publicUrl}/`)
    .replace(/(rel="canonical" href=")\//, `$1${publicUrl}/`)
    .replace('</head>', () => `${provider}</head>`)
  const known = (body: Buffer) => ({
    body,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  })
  const encoded = (theme: PageTheme) => {
    const text = Buffer.from(withTheme(html, theme))
    return { identity: known(text), gzip: known(gzipSync(text)), br: known(brotliCompressSync(text)) }
  }
  return Object.fromEntries(pageThemes.map((theme) => [theme, encoded(theme)])) as Record<
    PageTheme,
    ReturnType<typeof encoded>
  >
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** After the style sheet and the scripts: without them, the data is of no use. */
const preloads = (addresses: readonly string[]) =>
  addresses.map((address) => `<${address}>; rel=preload; as=fetch; crossorigin=use-credentials; fetchpriority=low`)

/** What a screen asks for, beside the user and the agency. */
function dataOf(request: Request): readonly string[] {
  if (request.path === '/calendar') return calendarData(request)
  // A user without an agency would be refused the lists.
  const hasAgency = readCookie(request.headers.cookie, agencyCookie) === 'open'
  return request.path === '/' && hasAgency ? ['/api/clients', '/api/dashboard', '/api/attention'] : []
}

/**
 * What the calendar's screen asks for, so that its posts come with its scripts. `calendarSearch` in the web's
 * `queries.ts` builds the same address, `calendar-choice.ts` sets the cookie.
 */
function calendarData({ query, headers }: Request): readonly string[] {
  const [kept, drafts] = (readCookie(headers.cookie, 'calendar') ?? '').split('.')
  const view = ['month', 'week', 'list'].find((each) => each === (query['view'] ?? kept)) ?? 'month'
  const page = view === 'week' ? 'day' : 'month'
  const search = new URLSearchParams({ view })
  for (const name of [page, 'client']) {
    const value = query[name]
    if (typeof value === 'string' && /^[\da-f-]{7,36}$/.test(value)) search.set(name, value)
  }
  if (drafts === 'drafts') search.set('drafts', 'true')
  // An address with a page of another view is left to the screen.
  const isOther = query[page === 'day' ? 'month' : 'day'] !== undefined
  return isOther ? ['/api/clients'] : ['/api/clients', `/api/calendar?${search.toString()}`]
}

/** Returns the Link header that preloads a screen's files, so that the browser needn't discover them one by one. */
function hints(webRoot: string): (path: string, signedIn: boolean) => string {
  const file = join(webRoot, firstFilesName)
  if (!existsSync(file)) return () => ''
  const { landing, signedIn } = JSON.parse(readFileSync(file, 'utf8')) as FirstFiles
  const linkOf = (files: readonly string[]) => files.map((name) => `</${name}>; rel=modulepreload`).join(', ')
  const asked = preloads(['/api/auth/user', '/api/agency']).join(', ')
  const atLanding = linkOf(landing)
  const screens = Object.entries(signedIn).map(([path, files]) => ({
    isForAll: forAll.includes(path),
    files: linkOf(files),
    matches: new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}/?$`),
    link: `${linkOf(files)}, ${asked}`,
  }))
  return (path, isSignedIn) => {
    const screen = screens.find(({ matches }) => matches.test(path))
    if (isSignedIn) return screen?.link ?? ''
    return screen?.isForAll ? screen.files : atLanding
  }
}
